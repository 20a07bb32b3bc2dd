"""图嵌入页面：输入、训练、结果、比较、带走。"""

MESSAGES: dict[str, str] = {
    "home.deepwalk.sentence": "把一张图（也可以是你自己的）的节点变成点，关系近的靠在一起：五种方法，当场训练给你看。",
    "home.deepwalk.alt": "《悲惨世界》的人物：向量从一团随机中散开，分成六种颜色的群，留下各自的轨迹。",
    # head and input
    "graph_embeddings.sentence": (
        "只凭图中的边，让每个节点都变成一串数字，使关系近的节点彼此靠近。五种方法、任意一张图，训练过程尽收眼底。"
    ),
    "graph_embeddings.recipes": "**先看这三样**，或在下方自选图和方法。",
    "graph_embeddings.recipe.groups": "自己成群",
    "graph_embeddings.recipe.groups.help": "对《悲惨世界》的人物用 DeepWalk：常常同场的人聚到一起。",
    "graph_embeddings.recipe.roles": "位置相近还是角色相同",
    "graph_embeddings.recipe.roles.help": (
        "在杠铃图上比较 Struc2vec 和 DeepWalk：互为镜像的节点，要么落在同一点，要么相隔最远。"
    ),
    "graph_embeddings.recipe.orders": "是朋友还是同类",
    "graph_embeddings.recipe.orders.help": "比较 LINE 的一阶与二阶，所用的图里“谁与谁相连”和“谁的邻居相同”并不一致。",
    "graph_embeddings.method": "方法",
    "graph_embeddings.method.deepwalk": (
        "沿着边随机游走，把每条游走当作一个句子：常在几步之内相遇的节点，得到相近的向量。"
    ),
    "graph_embeddings.method.line": (
        "直接从一条条边学习。一阶：边的两端应当靠近。二阶：邻居相同的节点也应当靠近。"
    ),
    "graph_embeddings.method.node2vec": (
        "DeepWalk 加上每一步的取舍：q 大于 1，游走留在来处附近；q 小于 1，游走向外走远；p 小则容易折返。"
    ),
    "graph_embeddings.method.struc2vec": (
        "看的不是位置，而是角色：周围的度分布相似的节点会靠在一起，哪怕它们之间没有路径。"
    ),
    "graph_embeddings.method.sdne": (
        "用深层自编码器重建邻接矩阵中每个节点的那一行，另有一项损失把每条边的两端拉近。"
    ),
    "graph_embeddings.more": "更多设置",
    "graph_embeddings.knob.dim": "维数",
    "graph_embeddings.knob.dim.help": "每个节点用多少个数字表示。下方的图只显示其中的两个方向。",
    "graph_embeddings.knob.seed": "随机种子",
    "graph_embeddings.knob.seed.help": "一个整数，一切随机性都由它而来：种子和设置相同，向量就相同。",
    "graph_embeddings.knob.walks": "每个节点出发的游走数",
    "graph_embeddings.knob.walks.help": "游走越多，可学的越多，也越费时间。",
    "graph_embeddings.knob.length": "一条游走的节点数",
    "graph_embeddings.knob.length.help": "一条游走走多远，起点也算在内。",
    "graph_embeddings.knob.window": "窗口",
    "graph_embeddings.knob.window.help": (
        "两个节点在游走中相距几步以内算作相遇。与 word2vec 一样，每个位置的窗口随机缩小，所以近的更重要。"
    ),
    "graph_embeddings.knob.epochs": "遍数",
    "graph_embeddings.knob.epochs.help": "训练把全部数据过几遍。",
    "graph_embeddings.knob.loss": "怎样对待一对节点",
    "graph_embeddings.knob.loss.help": (
        "Hierarchical softmax 沿 Huffman 树一路判断左右来找到邻居，DeepWalk 的论文用它；"
        "负采样把邻居与几个随机抽取的节点区分开，node2vec 的论文用它。"
    ),
    "graph_embeddings.loss.hs": "hierarchical softmax",
    "graph_embeddings.loss.ns": "负采样",
    "graph_embeddings.knob.negatives": "负样本数",
    "graph_embeddings.knob.negatives.help": "把每个真正的邻居与几个随机节点区分开。",
    "graph_embeddings.knob.lr": "学习率",
    "graph_embeddings.knob.lr.help": "第一步的步长，随后均匀下降直到结束。",
    "graph_embeddings.knob.p": "p：抑制折返",
    "graph_embeddings.knob.p.help": "折返的权重要除以 p：大于 1 很少折返，小于 1 经常折返。",
    "graph_embeddings.knob.q": "q：抑制走远",
    "graph_embeddings.knob.q.help": (
        "若下一个节点不是上一个节点的邻居，其权重要除以 q：大于 1，游走留在起点周围（像广度优先搜索）；"
        "小于 1，游走走向远处（像深度优先搜索）。"
    ),
    "graph_embeddings.knob.order": "阶",
    "graph_embeddings.knob.order.help": "两者：两种邻近度分开训练，各占一半维数，分别归一化到长度 1，再拼接起来。",
    "graph_embeddings.order.first": "一阶",
    "graph_embeddings.order.second": "二阶",
    "graph_embeddings.order.both": "两者",
    "graph_embeddings.knob.samples": "抽取的边数",
    "graph_embeddings.knob.samples.help": "每一阶各抽这么多。默认按图的大小：每条边 150 次，但至少 60 000 次。",
    "graph_embeddings.samples.auto": "按图",
    "graph_embeddings.knob.second_hop": "度低于此值时加入邻居的邻居",
    "graph_embeddings.knob.second_hop.help": (
        "邻居数低于此值的节点，把邻居的邻居也算作邻居；这是论文对二阶邻近度的建议。0：不加。"
    ),
    "graph_embeddings.knob.layers": "比较几圈",
    "graph_embeddings.knob.layers.help": "比较节点周围多远：0 只看自己的度，1 还看邻居的度，依此类推。",
    "graph_embeddings.knob.stay": "留在本层的概率",
    "graph_embeddings.knob.stay.help": (
        "游走每一步以这个概率留在本层，走到一个相似的节点；否则换到多比较一圈或少比较一圈的那一层。"
    ),
    "graph_embeddings.knob.opt2": "比较哪些节点",
    "graph_embeddings.knob.opt2.help": (
        "比较所有节点对；或每个节点只与度相近的约 log N 个节点比较（论文的 OPT2），大图需要这样。"
        "按大小：500 个节点以内比较所有节点对。"
    ),
    "graph_embeddings.opt2.auto": "按大小",
    "graph_embeddings.opt2.on": "度相近的",
    "graph_embeddings.opt2.off": "所有节点对",
    "graph_embeddings.knob.beta": "β：边的权重",
    "graph_embeddings.knob.beta.help": (
        "一行里几乎都是零。有边的地方，误差先乘以 β 再平方，这样网络就不会只回答“没有边”。"
    ),
    "graph_embeddings.knob.alpha": "α：沿边的拉力",
    "graph_embeddings.knob.alpha.help": "把一条边的两端拉近的力度，也就是一阶邻近度。",
    "graph_embeddings.knob.hidden": "隐藏层",
    "graph_embeddings.knob.hidden.help": "节点的那一行与它的向量之间（以及返回时）那一层的单元数。",
    "graph_embeddings.knob.nu": "ν：权重衰减",
    "graph_embeddings.knob.nu.help": "权重大要付多少代价。",
    "graph_embeddings.knob.batch": "每步行数",
    "graph_embeddings.knob.batch.help": "一步里放进多少个节点的行；图更小时就是整张图。",
    # training
    "graph_embeddings.train": "训练",
    "graph_embeddings.estimate": "这次训练大约需要 {time}，期间与其他访客轮流进行。",
    "graph_embeddings.progress": "第 {epoch:.2f} 遍 · 损失 {loss:.3f}",
    "graph_embeddings.progress.begins": "游走与计数",
    "graph_embeddings.before": "下面仍是上一次的训练：{method}。",
    "graph_embeddings.untrained": "这张图还没有用任何方法训练过。",
    "graph_embeddings.badge.method": "方法",
    "graph_embeddings.badge.dims": "{dim} 维",
    "graph_embeddings.badge.trained": "训练用时",
    "graph_embeddings.badge.moments": "保留 {n} 个时刻",
    "graph_embeddings.badge.loss": "损失",
    "graph_embeddings.badge.from": "最初 {first}",
    # result
    "graph_embeddings.result": "从图到平面",
    "graph_embeddings.result.about": (
        "左边是图，右边是它的向量，起初完全随机。**拖动滑块**或播放，观看训练过程。"
        "在左边或右边**点击一个节点**，看看向量把谁放在了它旁边。"
    ),
    "graph_embeddings.projection": "投影",
    "graph_embeddings.projection.help": (
        "向量有许多维，屏幕只有两维。PCA 取散布最大的平面；t-SNE 和 UMAP 弯曲空间，让邻居仍在一起。"
        "第一次使用 UMAP 要多等半分钟。"
    ),
    "graph_embeddings.projection.pca": "PCA",
    "graph_embeddings.projection.tsne": "t-SNE",
    "graph_embeddings.projection.umap": "UMAP",
    "graph_embeddings.projection.running": "{name}：第 {done} 步，共 {total} 步",
    "graph_embeddings.projection.pca.says": "PCA：训练结束时，这个平面包含了 {dim} 维中 {share} 的方差。",
    "graph_embeddings.projection.tsne.says": "t-SNE：谁与谁相邻是可信的；一群有多大、群与群隔多远则不可信。",
    "graph_embeddings.projection.umap.says": "UMAP：谁与谁相邻是可信的；一群有多大、群与群隔多远则不太可信。",
    "graph_embeddings.projection.turned": (
        "每个时刻单独投影，只旋转、不拉伸，与后一时刻对齐。若几个方向的散布相近，投影本身也可能摆动。"
    ),
    "graph_embeddings.colours": "颜色",
    "graph_embeddings.colours.label": "标签",
    "graph_embeddings.colours.degree": "度",
    "graph_embeddings.colours.plain": "无",
    "graph_embeddings.colours.unused": "训练时没有用到标签，标签只用来给点上色。",
    "graph_embeddings.colours.degree.says": "度从 {least}（暗）到 {most}（亮）。",
    "graph_embeddings.colours.degree.same": "所有节点的度都是 {least}。",
    "graph_embeddings.edges": "点云中不画边",
    "graph_embeddings.graph.alt": "一张有 {nodes} 个节点、{edges} 条边的图；点击可选取节点。",
    "graph_embeddings.cloud.alt": "{nodes} 个节点的向量在平面上的点，用 {method} 训练过程中的 {moments} 个时刻。",
    "graph_embeddings.moment.start": "训练前",
    "graph_embeddings.moment": "第 {epoch:.2f} 遍",
    "graph_embeddings.read.loss": "损失",
    "graph_embeddings.read.kept": "保住的邻居",
    "graph_embeddings.kept": (
        "训练结束时，在嵌入中离一个节点最近的那些节点，有 {share} 是它在图中的邻居"
        "（它有几个邻居就取最近的几个；随机则为 {chance}）。"
    ),
    "graph_embeddings.kept.roles": "Struc2vec 并不打算保住邻居：在它那里，靠近表示“角色相同”。",
    "graph_embeddings.kept.sampled": "由 {n} 个节点测得。",
    "graph_embeddings.near.graph": "**{name} 在图中的邻居**：{names}",
    "graph_embeddings.near.more": "以及另外 {n} 个",
    "graph_embeddings.near.none": "没有",
    "graph_embeddings.near.title": "**嵌入中离 {name} 最近的节点**，{moment}",
    "graph_embeddings.near.hint": "在任一幅图中点击一个节点，即可看到它在图中和在嵌入中的邻居。",
    "graph_embeddings.near.agree": (
        "最近的 {count} 个节点中，有 {hits} 个是 {name} 在图中的邻居；随机则为 {chance:.1f} 个。"
    ),
    "graph_embeddings.near.legend": "两幅图中：粗圈是选中的节点，数字是它在嵌入中的远近名次，粗线是它的边。",
    "graph_embeddings.near.rank": "名次",
    "graph_embeddings.near.node": "节点",
    "graph_embeddings.near.label": "标签",
    "graph_embeddings.near.cosine": "余弦",
    "graph_embeddings.near.distance": "距离",
    "graph_embeddings.near.steps": "图中步数",
    "graph_embeddings.near.apart": "不连通",
    # comparison
    "graph_embeddings.compare": "两种方法并排",
    "graph_embeddings.compare.about": (
        "同一张图，用另一种方法和它自己的设置来学（在上方选中该方法即可设置）。两片点云共用一个滑块，"
        "第二片已旋转到尽量与第一片重合。"
    ),
    "graph_embeddings.compare.with": "把 {method} 与谁比较",
    "graph_embeddings.compare.other_seed": "{method}，换一个种子",
    "graph_embeddings.compare.first": "{method}，一阶",
    "graph_embeddings.compare.second": "{method}，二阶",
    "graph_embeddings.compare.both": "{method}，两阶",
    "graph_embeddings.compare.shared": (
        "对一个节点而言，最近的 {k} 个节点在两者之间有 {share} 相同（随机则为 {chance}）。"
    ),
    "graph_embeddings.compare.seeds": (
        "两次训练只差在随机性上，一致的程度就是这样：衡量方法之间的差别，应以此为尺。"
    ),
    "graph_embeddings.compare.kept": "{method}：最近的节点中有 {share} 是图中的邻居，用时 {time}。",
    "graph_embeddings.compare.node": "离 {name} 最近的节点，{method}",
    "graph_embeddings.compare.common": "两者都选中的：{names}",
    "graph_embeddings.compare.none": "两者的 {k} 个中没有一个相同。",
    "graph_embeddings.compare.alt": "同样 {nodes} 个节点的两片点云：{first} 和 {second}。",
    # take away
    "graph_embeddings.take": "带走",
    "graph_embeddings.take.about": (
        "链接可以还原图、方法、设置、时刻和节点。你自己的图不会随链接传送：打开链接的人需要选择同一个文件。"
    ),
    "graph_embeddings.take.csv": "训练好的向量表：名称、标签、数字",
    "graph_embeddings.take.npz": "向量、图、设置和保留的全部时刻，供 numpy 使用",
    "graph_embeddings.take.word2vec": "word2vec 文本格式的向量，gensim 等可读",
    "graph_embeddings.take.projector": "供 TensorBoard projector 使用的向量：zip 中是张量和元数据",
    "graph_embeddings.take.svg": "滑块所在时刻的点云图",
    "graph_embeddings.take.film": "训练过程的动画",
}
