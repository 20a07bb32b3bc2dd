"""What the engines say: the choice between them, and every EngineError."""

MESSAGES: dict[str, str] = {
    "engine.choose": "运行引擎",
    "engine.choose.help": "两个引擎使用同一份权重。计算梯度需要 PyTorch。",
    "engine.unknown": "没有名为“{engine}”的引擎。VITRINE_ENGINE 可设为 “torch” 或 “onnx”。",
    "engine.not_installed": "这里没有安装引擎“{engine}”。安装方法见 README；不设 VITRINE_ENGINE 时会使用已安装的引擎。",
    "engine.no_graph": "{slug} 的权重“{weights}”在这里没有 ONNX Runtime 计算图，可改用 PyTorch 运行。",
    "engine.bad_graph": "无法读取这个模型的计算图，请重新获取 Vitrine。",
    "engine.input": "模型不接受这个输入（{name}：{problem}）。",
    "engine.too_large": "这张图片有 {megapixels} 百万像素；模型一次最多看 {limit} 百万像素。请选择一个区域。",
    "engine.unknown_tap": "这个模型没有名为“{name}”的内部张量。",
    "engine.taps_too_large": "要查看的张量共 {megabytes} MB，一次最多显示 {limit} MB。请换小一些的图片或区域。",
    "engine.busy": "使用这个模型的人很多：有 {waiting} 次运行在排队。请稍后再试。",
    "engine.out_of_memory": "目前内存不足以运行模型。请选择较小的区域，或稍后再试。",
    "engine.needs_torch": "这个视图需要梯度，因此需要 PyTorch。下面显示的是事先录制的一次运行。",
    "upscale.too_large": "结果将有 {megapixels} 百万像素，上限是 {limit}。请选择一个区域或较小的倍数。",
}
