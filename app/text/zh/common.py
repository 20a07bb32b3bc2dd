"""Words of the frame around every page."""

MESSAGES: dict[str, str] = {
    "shell.language": "语言",
    "shell.privacy": "在本机运行。图片不会被保存，也不会发往别处。",
    "header.paper": "{authors}，*[{title}]({url})*，{year}。学习笔记章节：{section}。",
    "badge.engine": "引擎",
    "badge.weights": "权重",
    "badge.parameters": "参数量",
    "badge.run": "上次运行",
    "error.unexpected": (
        "出现了意料之外的错误。你的内容没有丢失：请改一个设置，或刷新页面。错误编号 {number} 已记入服务器日志。"
    ),
    "family.cnn": "卷积",
    "family.recurrent": "循环",
    "family.generative": "生成",
    "family.attention": "注意力",
    "family.vision": "视觉 Transformer",
    "family.language": "语言",
    "family.multimodal": "图与文",
    "family.graph": "图网络",
    "progress.start": "开始",
    "progress.cancel": "取消",
    "progress.again": "重新开始",
    "progress.cancelled": "已停止，什么都没有改变。",
    "progress.preparing": "正在准备……",
    "progress.step": "{done} / {total}",
    "progress.eta": "大约还需 {time}",
    "progress.seconds": "{n:.0f} 秒",
    "progress.minutes": "{n:.0f} 分钟",
    "progress.busy": "你的另一项任务仍在运行，马上就会停止。",
}
