"""关于权重的说明:下载、接收用户的文件,以及文件有什么问题。"""

MESSAGES: dict[str, str] = {
    "weights.not_here": "本机还没有 {slug} 的权重“{weights}”。请下载，或把文件拖到这里。",
    "weights.no_graph": "{slug} 的权重“{weights}”需要 PyTorch,这里没有安装。",
    "weights.pth_needs_torch": (
        "官方文件是 .pth,即只有 PyTorch 能安全打开的 Python pickle,而这里没有安装 PyTorch。"
        "请在装有 Vitrine 和 PyTorch 的机器上运行“python -m models.checkpoints convert FILE.pth OUT.safetensors”,"
        "再把 .safetensors 文件拖到这里：它不需要 PyTorch。"
    ),
    "weights.pth_refused": "这个 .pth 里不只有张量（含有代码或压缩内容），因此没有打开。请从官方页面重新获取。",
    "weights.empty": "权重文件是空的（0 字节）。请重新获取。",
    "weights.too_large": "权重文件有 {megabytes} MB，最多接受 {limit} MB。文件选对了吗？",
    "weights.unknown_file": "这不是这里能读取的权重文件。请提供 .safetensors 或官方的 .pth。",
    "weights.unreadable": "权重文件已损坏或不完整。请重新获取；原有的权重不受影响。",
    "weights.wrong_keys": "这些权重属于另一个模型。缺少：{missing}。未知：{unknown}。请选择与文件对应的条目。",
    "weights.wrong_shape": (
        "这些权重属于其他尺寸的模型：{name} 是 {got}，应为 {expected}。请选择与文件对应的条目。"
    ),
    "weights.not_finite": "权重里有不是数的值（在 {name} 中）。请重新获取文件。",
    "weights.no_connection": "无法连接 {host}。请检查网络后重试，已下载的部分会保留；也可以把文件拖到这里。",
    "weights.not_found": "{host} 上没有（或不再有）这个文件。请从别处获取，再拖到这里。",
    "weights.http_status": "{host} 返回错误 {status}。请稍后重试，已下载的部分会保留。",
    "weights.bad_reply": "{host} 发来的不是这个文件，可能是网络的登录页面。请先打开一个网页，再重试。",
    "weights.not_https": "这个地址会不加密地（http）连到 {host}，因此没有下载任何内容。请使用 https。",
    "weights.download_broken": "与 {host} 的连接在 {done} / {total} MB 处中断。再按一次，会从那里继续。",
    "weights.wrong_hash": (
        "文件与公布的不符：SHA-256 以 {got} 开头，应以 {expected} 开头。文件已删除。请重试，或换一个网络。"
    ),
    "weights.hash_changed": (
        "文件与这里第一次下载的不同：SHA-256 是 {got}…，而不是 {expected}…。文件已删除。"
        "如果作者更换了文件，请删除缓存中 hashes.json 里的对应条目。"
    ),
    "weights.disk_full": "磁盘已满：需要 {needed} MB，剩余 {free} MB。请腾出空间后再按一次。",
    "weights.cache_not_writable": "缓存文件夹无法写入。请把 VITRINE_CACHE 设为可写的文件夹，再重新启动。",
}
