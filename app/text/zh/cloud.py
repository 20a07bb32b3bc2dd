"""随训练移动的点。"""

MESSAGES: dict[str, str] = {
    "cloud.moment": "时刻",
    "cloud.keys": "方向键在节点间移动，输入字母跳到对应名称，Enter 选取，Esc 取消选取；"
    "Page Up 和 Page Down 切换时刻，空格键播放。",
    "cloud.hint": "点击或轻触选取节点；左右拖动可浏览训练过程。",
    "cloud.picked": "已选：{name}",
    "cloud.released": "未选取节点",
    "cloud.only": "突出显示 {name}",
    "cloud.sampled": "图中画出 {count} 个节点中的 {shown} 个。",
    "cloud.edges_sampled": "图中画出 {count} 条边中的 {shown} 条。",
}
