"""What the engines say: the choice between them, and every EngineError."""

MESSAGES: dict[str, str] = {
    "engine.choose": "Run on",
    "engine.choose.help": "The same weights on either engine. Gradients need PyTorch.",
    "engine.unknown": "There is no engine called “{engine}”. VITRINE_ENGINE may be “torch” or “onnx”.",
    "engine.not_installed": (
        "The engine “{engine}” is not installed here. The README says how to install it; without VITRINE_ENGINE "
        "the app takes the one that is there."
    ),
    "engine.no_graph": "The weights “{weights}” of {slug} have no graph for ONNX Runtime here. PyTorch can run them.",
    "engine.bad_graph": "The graph of this model cannot be read. Please get a fresh copy of Vitrine.",
    "engine.input": "The model does not take this input ({name}: {problem}).",
    "engine.too_large": (
        "This picture has {megapixels} megapixels; the model looks at {limit} megapixels at once. Choose a region."
    ),
    "engine.unknown_tap": "This model has no inner tensor called “{name}”.",
    "engine.taps_too_large": (
        "The tensors you want to see take {megabytes} MB; {limit} MB are shown at once. Choose a "
        "smaller picture or region."
    ),
    "engine.busy": "Many visitors are using this model: {waiting} runs are waiting. Please try again in a moment.",
    "engine.out_of_memory": (
        "There is not enough memory to run the model just now. Choose a smaller region, or try later."
    ),
    "engine.needs_torch": "This view needs gradients, and so PyTorch. A recorded run is shown instead.",
    "upscale.too_large": (
        "The result would have {megapixels} megapixels; the limit is {limit}. Choose a region or a smaller factor."
    ),
}
