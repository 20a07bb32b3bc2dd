"""可用的图，以及关于上传的图的说明：哪里有问题、限制是多少、该怎么办。"""

MESSAGES: dict[str, str] = {
    "graph.empty_file": "文件是空的。请重新选择，或在来源处重新保存。",
    "graph.too_many_bytes": "文件有 {megabytes} MB，本服务器最多接受 {limit} MB。边列表是最短的格式。",
    "graph.too_many_edges": "这张图的边超过 {limit} 条，这是本服务器的上限。请取其中一部分。",
    "graph.too_many_nodes": "这张图的节点超过 {limit} 个，这是本服务器的上限。请取其中一部分。",
    "graph.out_of_memory": "目前内存不足以打开这张图。请取其中一部分，或稍后再试。",
    "graph.not_read": "这是 {kind} 类型的文件，这里不读取。请先解压，或导出为 CSV、GraphML、GEXF 或 JSON。",
    "graph.not_a_graph": "这个文件里不是文本，无法当作图读取。请选择 CSV、TSV、GraphML、GEXF 或 JSON 文件。",
    "graph.not_utf8": "这个文件的文字编码不是 UTF-8。请以 UTF-8 编码重新保存。",
    "graph.no_nodes": "这个文件里没有节点。边列表需要两列，即每条边的两个端点。",
    "graph.no_edges": "文件里有 {nodes} 个节点，但没有一条边连接两个不同的节点，因此没有可学的东西。",
    "graph.one_column": "文件只有一列。边列表需要两列，即每条边的两个端点；权重放在第三列。",
    "graph.prose": "这看起来是一段文章：每行有许多词，却没有权重。边列表有两列，权重放在第三列。",
    "graph.ragged": "第 {line} 行有 {found} 列，应为 {expected} 列。那里是不是少了分隔符？",
    "graph.damaged_line": "第 {line} 行无法读取：可能有未闭合的引号，或这一行过长。",
    "graph.not_square": "邻接矩阵的行数和列数必须相同，而这里有 {rows} 行、{columns} 列。",
    "graph.matrix_names": "第 {line} 行以“{found}”开头，但表头中节点的顺序与此不同。",
    "graph.empty_name": "有一个节点没有名称。请给每个节点一个 id。",
    "graph.empty_name_in_line": "第 {line} 行有一个节点没有名称。请填上边的两个端点。",
    "graph.long_name": "名称“{name}”超过 {limit} 个字符。文件里是不是少了分隔符？",
    "graph.twice": "节点“{name}”在文件里出现了两次。请给每个节点各自的 id。",
    "graph.unknown_node": "有一条边以“{name}”为端点，但没有节点用这个 id。文件完整吗？",
    "graph.bad_weight": "“{value}”不是数字，却出现在权重的位置。",
    "graph.bad_weight_in_line": "第 {line} 行的“{value}”不是数字，却出现在权重那一列。",
    "graph.negative_weight": "权重 {value} 是负数。随机游走和邻居都要求权重大于零，请去掉这样的边。",
    "graph.negative_weight_in_line": (
        "第 {line} 行的权重 {value} 是负数。随机游走和邻居都要求权重大于零，请去掉这样的边。"
    ),
    "graph.huge_weights": "权重太大，无法相加。请把所有权重除以同一个数。",
    "graph.json_damaged": "JSON 不完整，或第 {line} 行有错误。请重新保存文件。",
    "graph.json_form": (
        "这个 JSON 不是能读取的图。它需要“nodes”和“links”（或“edges”），每条边有“source”和“target”，"
        "即 networkx 和 d3 的写法；也可以是由节点对组成的列表。"
    ),
    "graph.xml_damaged": "XML 不完整，或第 {line} 行有错误。请重新保存文件。",
    "graph.xml_form": "这是“{root}”类型的 XML。这里能读取 GraphML 和 GEXF。",
    "graph.xml_entities": (
        "这个 XML 声明了缩写（实体），这样的小文件可能占满机器的内存，因此不读取。绘图软件不会写出这种文件。"
    ),
    "graph.hyperedges": "这个 GraphML 里有连接两个以上节点的超边。这里只读取普通的边。",
    "graph.table.columns": "这张表需要表头和至少两列：节点，以及它的标签。",
    "graph.table.nothing": (
        "这张表里没有可以作为标签的列：第一列必须是图中节点的名称（有 {unknown} 行是别的名称），"
        "标签需要 2 到 50 种不同的取值。"
    ),
    "graph.note.zero": "权重为 0 而略去的边：{n}",
    "graph.note.merged": "权重相加、合为一条的重复边：{n}",
    "graph.note.loops": "保留的自环：{n}",
    "graph.note.isolated": "保留的孤立节点：{n}",
    "graph.note.mixed": "文件里既有有向边也有无向边：无向边现在双向通行。",
    "graph.note.ignored": "没有用到的列：{columns}",
    "graph.note.first_graph": "文件里有多张图，使用的是第一张。",
    "graph.note.table_unknown": "标签表中不对应任何节点的行：{n}",
    "graph_input.sample": "图",
    "graph_input.sample.karate": "空手道俱乐部",
    "graph_input.sample.karate.about": (
        "一个俱乐部的 34 名成员，以及他们在俱乐部之外与谁来往（Zachary 1977）。颜色是后来分裂成的两个俱乐部。"
    ),
    "graph_input.sample.miserables": "《悲惨世界》",
    "graph_input.sample.miserables.about": (
        "雨果小说中的人物，在同一章出现就有边相连（Knuth 1993），权重是共同出现的章数。"
        "颜色是 Louvain 方法找到的社区，并非小说本身的说法。"
    ),
    "graph_input.sample.davis": "南方妇女",
    "graph_input.sample.davis.about": "18 位妇女和她们参加的 14 次活动（Davis 1941）：一张有两类节点的图。",
    "graph_input.sample.line": "LINE 的例子",
    "graph_input.sample.line.about": (
        "仿照 LINE 论文的图 1：5 和 6 有相同的朋友，但彼此没有边；6 和 7 之间有一条很强的边。"
    ),
    "graph_input.sample.orders": "两种邻近度",
    "graph_input.sample.orders.about": (
        "每一组里，左边的每个节点都与右边的每个节点相连。同一边的节点邻居全同，却没有边；"
        "两边之间有边，却几乎没有共同邻居。在这里，一阶和二阶邻近度并不相同。"
    ),
    "graph_input.sample.barbell": "杠铃",
    "graph_input.sample.barbell.about": (
        "两个团由一条路径相连。颜色相同的节点在结构中的位置相同，不论相隔多远。"
    ),
    "graph_input.sample.sbm": "随机块模型",
    "graph_input.sample.sbm.about": "随机块模型（SBM）：组内多半有边，组间很少有边。",
    "graph_input.sample.lfr": "LFR 社区",
    "graph_input.sample.lfr.about": "社区大小不一，节点的度也不一，比随机块模型更接近真实的网络。",
    "graph_input.sample.grid": "网格",
    "graph_input.sample.grid.about": "方形网格；颜色区分角、边缘和内部。",
    "graph_input.sample.tree": "树",
    "graph_input.sample.tree.about": "一棵满树；颜色是层数。",
    "graph_input.parameter.groups": "组数",
    "graph_input.parameter.size": "每组的节点数",
    "graph_input.parameter.clique": "每个团的节点数",
    "graph_input.parameter.path": "路径上的节点数",
    "graph_input.parameter.blocks": "组数",
    "graph_input.parameter.inside": "组内有边的概率",
    "graph_input.parameter.between": "组间有边的概率",
    "graph_input.parameter.seed": "随机种子",
    "graph_input.parameter.count": "节点数",
    "graph_input.parameter.degree": "平均度",
    "graph_input.parameter.mixing": "通向社区之外的边的比例",
    "graph_input.parameter.degree_exponent": "度分布的指数",
    "graph_input.parameter.size_exponent": "社区大小分布的指数",
    "graph_input.parameter.rows": "行数",
    "graph_input.parameter.columns": "列数",
    "graph_input.parameter.branching": "每个节点的子节点数",
    "graph_input.parameter.height": "根以下的层数",
    "graph_input.label.group": "第 {n} 组",
    "graph_input.label.woman": "妇女",
    "graph_input.label.event": "活动",
    "graph_input.label.left": "左 {n}",
    "graph_input.label.right": "右 {n}",
    "graph_input.label.clique": "团",
    "graph_input.label.gate": "出口",
    "graph_input.label.path": "路径 {n}",
    "graph_input.label.corner": "角",
    "graph_input.label.border": "边缘",
    "graph_input.label.inside": "内部",
    "graph_input.label.level": "第 {n} 层",
    "graph_input.label.none": "无标签",
    "graph_input.too_large": (
        "这样的设置会产生约 {edges} 条边，本服务器最多接受 {limit} 条。请减少节点或降低概率。"
    ),
    "graph_input.upload": "你自己的图",
    "graph_input.upload.help": (
        "边列表或邻接矩阵（CSV、TSV、文本）、GraphML、GEXF 或 JSON（node-link），最大 {limit} MB、"
        "{edges} 条边。"
        "文件只留在本机内存中。"
    ),
    "graph_input.directed": "边有方向",
    "graph_input.directed.help": "用于没有说明方向的文件。",
    "graph_input.labels": "标签",
    "graph_input.labels.none": "无",
    "graph_input.table": "标签表",
    "graph_input.table.help": "带表头的 CSV 或 TSV：第一列是节点名称，其余各列是标签。",
    "graph_input.umap": "程序启动后第一次用 UMAP 要先编译，会多等半分钟。",
    "graph_input.current": "你的图：{name}",
    "graph_input.counts": "{nodes} 个节点 · {edges} 条边",
    "graph_input.kind.directed": "有向",
    "graph_input.kind.weighted": "带权",
    "graph_input.kind.components": "{n} 个连通分量",
    "graph_input.kind.labels": "{n} 种标签",
    "graph_input.link.ask": (
        "制作这个链接的人用的是自己的图，图不会随链接传送。请选择同一个文件（指纹以 {sha} 开头），"
        "或用样例继续。"
    ),
    "graph_input.link.other": "{name} 不是制作这个链接时用的图：指纹不同。下面显示的是你选择的这一张。",
    "graph_input.link.without": "用样例继续",
    "graph_input.drawing.alt": "一张有 {nodes} 个节点、{edges} 条边的图",
    "graph_input.drawing.sampled": "画出的是 {edges} 条边中随机选取的 {shown} 条；计算时用到全部的边。",
    "graph_input.layout.step": "正在排布节点",
}
