"""图神经网络页面：消息传递、GCN、GraphSAGE 和 GAT。"""

MESSAGES: dict[str, str] = {
    # head
    "graph_networks.sentence": (
        "每个节点听取邻居的消息，汇总，再更新自己。选一个节点，看每条消息的每个数，再看嵌入如何随训练移动。"
    ),
    "graph_networks.about.message_passing": (
        "**消息传递**是所有图神经网络的共同之处：每条边上有一条消息，到达的消息汇总起来，节点据此更新。"
    ),
    "graph_networks.about.gcn": "**GCN** 让每个节点对自己和邻居取平均，权重由度决定。",
    "graph_networks.about.graphsage": (
        "**GraphSAGE** 把节点自身与邻居的汇总合在一起；邻居可以全读，也可以随机抽几个。"
    ),
    "graph_networks.about.gat": "在 **GAT** 里，每个节点自己决定对每个邻居听多少。",
    "gcn.score": "测试节点正确率 {accuracy:.0%} ± {sd:.0%}（{seeds} 个种子）",
    "graphsage.score": "测试节点正确率 {accuracy:.0%} ± {sd:.0%}（{seeds} 个种子）",
    "gat.score": "测试节点正确率 {accuracy:.0%} ± {sd:.0%}（{seeds} 个种子）",
    "message_passing.score": "测试节点正确率 {accuracy:.0%} ± {sd:.0%}（{seeds} 个种子）",
    "gcn.weights.karate": "空手道俱乐部",
    "gcn.weights.sbm": "随机块模型",
    "gcn.weights.untrained": "未训练",
    "graphsage.weights.karate": "空手道俱乐部，平均",
    "graphsage.weights.karate_max": "空手道俱乐部，最大",
    "graphsage.weights.karate_lstm": "空手道俱乐部，LSTM",
    "graphsage.weights.sbm": "随机块模型，平均",
    "graphsage.weights.untrained": "未训练",
    "gat.weights.karate": "空手道俱乐部",
    "gat.weights.karate_v2": "空手道俱乐部，GATv2",
    "gat.weights.sbm": "随机块模型",
    "gat.weights.untrained": "未训练",
    "message_passing.weights.karate": "空手道俱乐部",
    "message_passing.weights.karate_edge": "空手道俱乐部，边网络",
    "message_passing.weights.sbm": "随机块模型",
    "message_passing.weights.untrained": "未训练",
    "graph_networks.badge.trained": "现场训练",
    "graph_networks.badge.epochs": "{n} 轮（epoch）",
    "graph_networks.badge.training": "训练用时",
    # choices
    "graph_networks.net": "网络",
    "graph_networks.layers": "层数（消息轮数）",
    "graph_networks.layers.help": "一层就是一轮消息：k 轮之后，节点听到了与它相距不超过 k 条边的所有节点。",
    "graph_networks.hidden": "宽度",
    "graph_networks.hidden.help": "两轮之间每个节点存多少个数；GAT 里由各个头平分。",
    "graph_networks.aggregator": "如何汇总邻居",
    "graph_networks.aggregator.mean": "平均",
    "graph_networks.aggregator.max": "最大",
    "graph_networks.aggregator.lstm": "LSTM",
    "graph_networks.aggregator.help": (
        "平均：取邻居的均值。最大：先过一层，再逐通道取最大。LSTM：一个接一个地读邻居，所以顺序有影响。"
    ),
    "graph_networks.version": "版本",
    "graph_networks.version.help": (
        "GATv2 把 LeakyReLU 移到最后一次乘积之前。"
        "只有这样，不同的节点才能偏爱不同的邻居；注意力一节会数给你看。"
    ),
    "graph_networks.heads": "头数",
    "graph_networks.heads.help": "并排的多个注意力，各有自己的权重。",
    "graph_networks.form": "形式",
    "graph_networks.form.linear": "线性（笔记的写法）",
    "graph_networks.form.edge_network": "边网络 + GRU（Gilmer）",
    "graph_networks.form.help": (
        "线性：消息是 W₂hⱼ 乘以边的权重。边网络：一个小网络为每条边生成一个矩阵，再由 GRU 接收消息之和。"
    ),
    "graph_networks.how": "训练",
    "graph_networks.known": "每类已知标签数",
    "graph_networks.known.help": "训练时每类有这么多节点公开标签，至多占该类的一半。其余节点只用来评测。",
    "graph_networks.epochs": "训练轮数（epoch）",
    "graph_networks.seed": "随机种子",
    "graph_networks.rate": "学习率",
    "graph_networks.dropout": "Dropout",
    "graph_networks.decay": "权重衰减",
    "graph_networks.decay.help": "每一步都把权重往零拉一点。",
    "graph_networks.objective": "学什么",
    "graph_networks.objective.labels": "标签",
    "graph_networks.objective.walks": "随机游走，不用标签",
    "graph_networks.objective.help": (
        "标签：在已知节点上算交叉熵。随机游走：在短游走中相遇的节点，嵌入应当相似，其余则不应（论文式 1）。"
    ),
    "graph_networks.projection": "把嵌入投影到平面",
    "graph_networks.projection.pca": "PCA",
    "graph_networks.projection.tsne": "t-SNE",
    "graph_networks.projection.umap": "UMAP",
    "graph_networks.projection.help": (
        "PCA 保留方差最大的两个方向。t-SNE 和 UMAP 保留邻近关系，组与组之间的距离意义不大。"
        "相邻各轮的投影已转到彼此对齐。"
    ),
    "graph_networks.projecting": "正在投影嵌入",
    # runs
    "graph_networks.recorded": (
        "这是录制好的训练，用的是内置权重；下面各层都是现场计算的。换了设置或换了图，就在这里现场训练。"
    ),
    "graph_networks.train.here": "在这里训练",
    "graph_networks.recorded.again": "回到录制的训练",
    "graph_networks.train": "训练",
    "graph_networks.train.note": "这张图有 {nodes} 个节点、{edges} 条边，训练可能需要一会儿。",
    "graph_networks.before": "下面暂时还是上一次的训练。",
    "graph_networks.progress.torch": "正在准备 PyTorch，第一次需要几秒",
    "graph_networks.progress": "第 {done} 轮，共 {total} 轮 · 损失 {loss}",
    "graph_networks.no_torch": (
        "这里没有安装 PyTorch，无法训练。空手道俱乐部和随机块模型在初始设置下有录制好的训练；"
        "其他情况显示的是未训练的网络。"
    ),
    "graph_networks.no_labels": (
        "这张图没有标签，没有可分类的东西，所以显示未训练的网络。"
        "GraphSAGE 不用标签也能学；也可以给图加一张标签表。"
    ),
    "graph_networks.no_labels.short": "这张图没有标签，这里没有可评测的东西。",
    "graph_networks.last_weights.recorded": (
        "这里是第 {epoch} 轮的数：录制的训练只保留了最后的权重，没有第 {look} 轮的。按“在这里训练”，每一轮都会有。"
    ),
    "graph_networks.last_weights.trained": "这里是第 {epoch} 轮的数：网络较大，第 {look} 轮的权重没有保留。",
    # result
    "graph_networks.result": "结果",
    "graph_networks.says.labels": (
        "第 {epoch} 轮之后，标签没有告诉网络的 {count} 个节点中，它说对了 **{right}** 个（{percent}）。"
        "它只知道 {known} 个标签。总是猜最大的一类，能对 {usual}。"
    ),
    "graph_networks.says.test": (
        "其中测试节点 {count} 个，对了 **{right}** 个（{percent}）；其余的是验证节点，用来看哪一轮最好。"
    ),
    "graph_networks.says.all": (
        "所有标签都告诉了网络，它复述对了 {count} 个中的 {right} 个。减少已知标签，才看得出它学到了什么。"
    ),
    "graph_networks.says.walks": (
        "第 {epoch} 轮。没有用任何标签：在随机游走中相遇的节点被拉近，其余的被推开。颜色不参与训练。"
    ),
    "graph_networks.says.means": (
        "训练之后，用 {known} 个有标签的节点求出各类的均值，再按最近的均值命名：第 {epoch} 轮之后，"
        "其余 {count} 个节点中对了 **{right}** 个（{percent}）。总是猜最大的一类，能对 {usual}。"
    ),
    "graph_networks.says.untrained": (
        "**这是未训练的网络**，权重是随机数。即便如此，有共同邻居的节点也会聚到一起，"
        "因为对邻居取平均本身就让它们相像（Kipf 和 Welling，附录 A）。"
    ),
    "graph_networks.graph": "**图。** 点击一个节点。",
    "graph_networks.graph.alt": "一张有 {nodes} 个节点的图，颜色是网络的判断",
    "graph_networks.embedding": "**嵌入**，每个节点 {n} 个数，随训练变化。",
    "graph_networks.embedding.alt": "{nodes} 个节点的嵌入画成平面上的点，共 {moments} 个训练时刻",
    "graph_networks.epoch": "第 {n} 轮",
    "graph_networks.loss": "损失",
    "graph_networks.accuracy.train": "正确率，已知",
    "graph_networks.accuracy.validation": "正确率，验证",
    "graph_networks.accuracy.test": "正确率，测试",
    "graph_networks.colour": "颜色表示",
    "graph_networks.colour.predicted": "预测",
    "graph_networks.colour.label": "标签",
    "graph_networks.colour.belief": "把握",
    "graph_networks.colour.role": "在训练中的角色",
    "graph_networks.colour.degree": "度",
    "graph_networks.role.none": "无标签",
    "graph_networks.role.train": "训练时已知",
    "graph_networks.role.validation": "验证",
    "graph_networks.role.test": "测试",
    "graph_networks.node": "{label}；预测为{predicted}（{percent}%）；{role}",
    "graph_networks.chosen": "**节点 {name}** 和它的近邻",
    "graph_networks.chosen.unlabelled": "这个网络没有学过分类。",
    "graph_networks.belief": "所选节点属于各类的概率",
    "graph_networks.belief.note": "网络的判断；✓ 是真实标签。",
    "graph_networks.company.graph": "图中的 {n} 个邻居：{listed}",
    "graph_networks.company.embedding": "嵌入中最近的 {n} 个及其余弦：{listed}",
    "graph_networks.company.note": (
        "这 {n} 个里有 {both} 个也是图中的邻居（粗体）。邻居不一定相像，相隔很远的节点也可能相像。"
    ),
    # messages
    "graph_networks.messages": "一个节点的一轮",
    "graph_networks.messages.about": (
        "每一轮分三步：每个邻居发来一条**消息**，节点把消息**汇总**，再**更新**自己；所有节点同时进行。"
        "这里的数属于上面滑块所指的那一轮训练。"
    ),
    "graph_networks.messages.alt": "{name} 周围的图，边上有 {n} 条消息；线越粗，消息越长",
    "graph_networks.messages.graph": "线的粗细：消息的长度。数字：消息的系数。点击别的节点，就改听那里。",
    "graph_networks.more_senders": "另有 {n} 个发送者，消息较短，没有画出。",
    "graph_networks.round": "轮次",
    "graph_networks.round.help": "第二轮里，邻居发出的是它们在第一轮更新后的样子。",
    "graph_networks.stage": "步骤",
    "graph_networks.stage.message": "1 · 消息",
    "graph_networks.stage.aggregate": "2 · 汇总",
    "graph_networks.stage.update": "3 · 更新",
    "graph_networks.stage.message.about": (
        "节点 **{name}**，第 {round} 轮：{n} 条消息，每条 {channels} 个数。一行一个发送者，一列一个通道。"
        "点击一行，看这条消息如何算出。"
    ),
    "graph_networks.stage.aggregate.about": (
        "节点 **{name}**，第 {round} 轮：{n} 条消息合成一行 {channels} 个数。点击一列，看这个通道如何算出。"
    ),
    "graph_networks.stage.update.about": (
        "节点 **{name}**，第 {round} 轮：听到的（{n} 条消息）和它原来的样子，合成新的 {channels} 个数。"
        "点击一列，看这个通道如何算出。"
    ),
    "graph_networks.itself": "{name}（自己）",
    "graph_networks.others": "其余 {n} 个",
    "graph_networks.aggregate.sum": "求和",
    "graph_networks.aggregate.mean": "平均",
    "graph_networks.aggregate.max": "最大",
    "graph_networks.aggregate.lstm": "LSTM 的最后状态",
    "graph_networks.row.aggregate": "汇总 m",
    "graph_networks.row.bias": "偏置 b",
    "graph_networks.row.own": "加权后的自身 h",
    "graph_networks.row.heard": "加权后的所闻",
    "graph_networks.row.kept": "保留：z · h",
    "graph_networks.row.new": "更新：(1 − z) · n",
    "graph_networks.row.before": "激活之前",
    "graph_networks.row.out": "新的 h′",
    "graph_networks.strips.alt": "一行行彩色方格：各发送者和该节点在每个通道上的数",
    "graph_networks.strips.hint": "蓝色小于零，橙色大于零。点击一列，选择通道。",
    "graph_networks.channel": "通道",
    "graph_networks.one_message": "**{sender}** 发给 **{node}** 的消息，通道 {channel}：",
    "graph_networks.as_it_is": "发送者不经任何权重，直接报出自己：hⱼ = {value}。",
    "graph_networks.no_tap": "求和与更新之间，网络不单独保存数值；请看下一步与网络的比较。",
    "graph_networks.alone": "这里没有消息到来：该节点没有邻居，汇总为 0。",
    "graph_networks.lstm.after": "读完 {name}",
    "graph_networks.lstm.back": "倒着读",
    "graph_networks.lstm.alt": "LSTM 读完每个邻居后的状态，以及倒序读完的状态",
    "graph_networks.lstm.order": (
        "**顺序有影响。** 同样的邻居倒过来读，汇总会改变，"
        "幅度为其长度的 {percent}%。为此，原作者在训练时打乱邻居的顺序。"
    ),
    "graph_networks.lstm.check": "以 float64 重算，与网络自己的数相差 {difference}。",
    "graph_networks.check": (
        "该节点第 {round} 轮的全部 {channels} 个通道都以 float64 重算，"
        "最大相差 {difference}（网络由 {by} 运行）。"
    ),
    "graph_networks.by.onnx": "ONNX Runtime",
    "graph_networks.by.torch": "PyTorch",
    "graph_networks.by.numpy": "我们的 numpy 版本（float32）",
    # inside
    "graph_networks.inside": "网络内部",
    "graph_networks.inside.about": (
        "网络按这些模块运行。点击一个模块，看它的张量：一行是一个节点，或到达所选节点的一条消息。"
    ),
    "graph_networks.inside.input": "这是输入。点击后面的模块，看它变成什么。",
    "graph_networks.inside.tensor": "张量",
    "graph_networks.inside.large": "这张图的全部消息太多，无法保留。请选择节点的张量。",
    "graph_networks.inside.cell": "行 **{row}**，列 {column}：{value}",
    "graph_networks.inside.rows.nodes": "每行一个节点，按标签排列。点击一行选节点，点击一列选通道。",
    "graph_networks.inside.rows.messages": "每行是到达 **{name}** 的一条消息，写的是发送者。点击一行或一列。",
    "graph_networks.inside.rows.whole": "整张图只有一行。点击一列。",
    # matrix
    "graph_networks.matrix": "把边写成矩阵",
    "graph_networks.matrix.about.gcn": (
        "第 i 行是到达节点 i 的各条消息的系数。GCN 给每个节点加一个自环，再除以**两端**度的平方根；自环计入度。"
        "节点按标签排列。"
    ),
    "graph_networks.matrix.about.graphsage": (
        "第 i 行是到达节点 i 的各条消息的系数：取平均时每个邻居同等重要，节点自己不在其中。节点按标签排列。"
    ),
    "graph_networks.matrix.about.gat": (
        "第 i 行是到达节点 i 的各条消息的系数：在这里由网络自己选定，每个头各不相同。节点按标签排列。"
    ),
    "graph_networks.matrix.about.message_passing": (
        "第 i 行是消息到达节点 i 的各条边的权重。这里不除以度，所以邻居多的节点收到的和很大。节点按标签排列。"
    ),
    "graph_networks.matrix.kind": "矩阵",
    "graph_networks.matrix.adjacency": "A",
    "graph_networks.matrix.loops": "Ã = A + I",
    "graph_networks.matrix.row": "按行归一化",
    "graph_networks.matrix.symmetric": "Â，对称归一化",
    "graph_networks.matrix.mean": "平均",
    "graph_networks.matrix.attention": "α，注意力",
    "graph_networks.matrix.alt": "{count} × {count} 的矩阵，消息系数越大越亮",
    "graph_networks.matrix.hint": "亮度是数的平方根。点击一格，旁边显示它的数。",
    "graph_networks.matrix.part": "只画出矩阵中所选节点周围的部分：{all} 个节点中的 {count} 个。",
    "graph_networks.matrix.cell": "行 **{i}**，列 **{j}**：{value}",
    "graph_networks.matrix.zero": "两者之间没有边，也就没有消息。",
    "graph_networks.matrix.degree": "{name} 的度：不计自环为 {plain}，计入自环为 {counted}。",
    "graph_networks.matrix.sums": "各行之和在 {low} 与 {high} 之间。",
    "graph_networks.matrix.eigen": (
        "最大特征值：{first}。第二大的 {second} 说明反复平均多快使一切趋同：每一轮，差异缩小到这个倍数。"
    ),
    "graph_networks.matrix.row.note": (
        "按行归一化时，每个节点取普通平均，每行之和为 1。论文的 GCN 用对称形式；"
        "作者另一个有名的 PyTorch 版本用的是按行形式。"
    ),
    # readout
    "graph_networks.readout": "读出（readout）",
    "graph_networks.readout.about.sum": (
        "消息传递网络还能对整张图给出判断：这里只是把所有节点相加。给节点分类用不到它，训练也不影响它。"
    ),
    "graph_networks.readout.about.set2set": (
        "Set2set 把所有节点看三遍，每一遍看哪里由一个 LSTM 的状态决定。给节点分类用不到它，"
        "所以它的权重还是训练之前的。"
    ),
    "graph_networks.readout.bars.sum": "每个节点的向量在总和中的长度。",
    "graph_networks.readout.bars.set2set": "最后一遍时每个节点所占的份额。",
    "graph_networks.readout.most": "只列出最大的 {n} 个。",
    "graph_networks.readout.check": "以 float64 重算：{channels} 个数，最大相差 {difference}（网络由 {by} 运行）。",
    # attention
    "graph_networks.attention": "边上的注意力",
    "graph_networks.attention.about": (
        "每条消息有一个分数 eᵢⱼ，再对到达该节点的所有消息做 softmax："
        "在每个头里，份额 αᵢⱼ 之和为 1。轮次和节点在上面选择。"
    ),
    "graph_networks.head": "头",
    "graph_networks.attention.one": "第 {round} 轮只有一个头。",
    "graph_networks.attention.alt": "{name} 周围的图，边的粗细是注意力",
    "graph_networks.attention.bars": "对每个邻居的注意力",
    "graph_networks.attention.uniform": "共 {n} 条消息；若平均分配，每条为 {share}。",
    "graph_networks.attention.check": "以 float64 重算：分数相差 {score}，份额相差 {share}（网络由 {by} 运行）。",
    "graph_networks.attention.of_head": "头 {n}：{value}",
    "graph_networks.attention.entropy": (
        "**各个头有多挑剔？** 份额的熵，对所有节点取平均，1 表示平均分配。{listed}。"
        "在小图上、标签很少时，GAT 常接近 1，与 GCN 的平均相差无几。"
    ),
    "graph_networks.attention.static.1": (
        "**静态注意力。** 让全部 {count} 个节点在头 {head} 里给全部 {count} 个节点打分。"
        "发送者的不同顺序：**{orders}** 种；不同的最爱：**{favourites}** 个。"
        "在 GAT 里，分数随 fᵢ + gⱼ 单调不减，所以发送者的顺序与接收者无关。换成 GATv2 再数数看。"
    ),
    "graph_networks.attention.static.2": (
        "**动态注意力。** 让全部 {count} 个节点在头 {head} 里给全部 {count} 个节点打分。"
        "发送者的不同顺序：**{orders}** 种；不同的最爱：**{favourites}** 个。在第一版 GAT 里，所有节点只有同一种顺序。"
    ),
    # sampling
    "graph_networks.sampling": "抽取部分邻居",
    "graph_networks.sampling.about": (
        "在大图里，两轮消息就可能涉及几百万个节点。"
        "GraphSAGE 从最后一轮往回，对每个节点只随机读几个邻居（论文算法 2）。"
    ),
    "graph_networks.sampling.fan": "每个节点读几个邻居",
    "graph_networks.sampling.again": "重新抽取",
    "graph_networks.sampling.alt": "图；着色的是 {name} 和它抽到的共 {n} 个节点，颜色表示隔几轮",
    "graph_networks.sampling.says": (
        "对节点 **{name}** 的 {layers} 轮，这次抽样读 {read} 个节点、"
        "{messages} 条消息；全读则是 {count} 个节点中的 "
        "{all} 个、{all_messages} 条消息。灰色的节点没有读。"
    ),
    "graph_networks.sampling.off": "这次抽样得到的嵌入与精确值相差其长度的 {percent}%。",
    "graph_networks.sampling.chart": "嵌入的误差随所读邻居数的变化",
    "graph_networks.sampling.x": "每个节点读几个邻居",
    "graph_networks.sampling.y": "误差，%",
    "graph_networks.sampling.mean": "对这个节点抽取 {draws} 次的平均；竖线是你的选择。",
    # smoothing
    "graph_networks.smoothing": "过平滑",
    "graph_networks.smoothing.about": (
        "每一轮都在对邻居取平均。平均的次数足够多，"
        "连通图的所有节点就说同样的话，只差在度上：能区分它们的信息没有了。"
        "先不学习，看看会怎样：在所选节点放一个 1，反复乘以 Â。"
    ),
    "graph_networks.smoothing.power": "平均的轮数",
    "graph_networks.smoothing.alt": "图，颜色是 {power} 轮之后每个节点得到 {name} 处那个 1 的多少",
    "graph_networks.smoothing.reached": "{power} 轮之后，{count} 个节点中有 {n} 个分到了原在 **{name}** 的那个 1。",
    "graph_networks.smoothing.rounds": "轮数",
    "graph_networks.smoothing.layers": "层数",
    "graph_networks.smoothing.distance": "随机信号下，两个节点方向之间的平均距离",
    "graph_networks.smoothing.distance.short": "距离",
    "graph_networks.smoothing.energy": "Dirichlet 能量：长度为 1 的随机信号中，邻居之间相差多少",
    "graph_networks.smoothing.energy.short": "能量",
    "graph_networks.smoothing.accuracy.short": "正确率，%",
    "graph_networks.smoothing.says": (
        "对 16 个随机信号，两个节点的方向起初平均相距 {first}，{power} 轮之后为 {now}，是原来的 {percent}%。"
    ),
    "graph_networks.smoothing.trained": "学习之后呢？",
    "graph_networks.smoothing.trained.about": (
        "把 {net} 训练成 1 到 16 层。学到的权重可以在一定程度上抵抗平均：看看到哪个深度嵌入塌到一起，"
        "测试正确率随之下降。"
    ),
    "graph_networks.smoothing.recorded": "这是录制的结果；换了设置或换了图，就在这里训练。",
    "graph_networks.smoothing.no_torch": ("这里没有安装 PyTorch。这项比较在空手道俱乐部上以初始设置录制过。"),
    "graph_networks.smoothing.start": "训练 1 到 16 层",
    "graph_networks.smoothing.note": "八种深度，各三个种子：按上面的设置共训练 24 次。",
    "graph_networks.smoothing.progress": "第 {done} 轮，共 {total} 轮（所有深度和种子）",
    "graph_networks.smoothing.before": "训练前",
    "graph_networks.smoothing.after": "训练后",
    "graph_networks.smoothing.depth.distance": "训练前后，两个节点嵌入的平均距离随深度的变化",
    "graph_networks.smoothing.depth.accuracy": "已知节点和测试节点的正确率随深度的变化",
    "graph_networks.smoothing.table": "数值",
    "graph_networks.smoothing.column.depth": "层数",
    "graph_networks.smoothing.column.before": "距离，未训练",
    "graph_networks.smoothing.column.after": "距离",
    "graph_networks.smoothing.column.energy": "Dirichlet 能量",
    "graph_networks.smoothing.column.test": "测试，%",
    "graph_networks.smoothing.seeds": "{n} 个种子的平均。距离：嵌入缩放到长度 1，对所有节点对取平均。",
    # scores
    "graph_networks.scores": "效果如何？",
    "graph_networks.scores.about": (
        "在小图上，一次训练说明不了多少：已知哪些标签很要紧。所以用多个种子训练，每次划分不同，"
        "并在训练和任何选择都没见过的测试节点上评测。"
    ),
    "graph_networks.scores.seeds": "种子数",
    "graph_networks.scores.start": "用 {n} 个种子训练",
    "graph_networks.scores.progress": "第 {done} 轮，共 {total} 轮（所有种子）",
    "graph_networks.scores.recorded": "以初始设置录制的结果。",
    "graph_networks.scores.no_torch": "这里没有安装 PyTorch，这种选择也没有录制的成绩。",
    "graph_networks.scores.logistic": "只看节点自身特征的逻辑回归",
    "graph_networks.scores.majority": "总猜最大的一类",
    "graph_networks.scores.micro": "micro F1，%",
    "graph_networks.scores.macro": "macro F1，%",
    "graph_networks.scores.said": "{seeds} 个种子的平均 ± 标准差；每次 {tested} 个测试节点。",
    "graph_networks.scores.identity": (
        "这里节点唯一的特征是它自己的编号，逻辑回归对没见过的节点一无所知：网络多出来的本事，全部来自边。"
    ),
    # notes
    "graph_networks.notes": "笔记怎么说",
    "graph_networks.notes.about": (
        "以路径 0 – 1 – 2、x = (1, 2, 3) 为例算出。`{file}` 里的测试对我们的网络断言同样的事实。"
    ),
    "graph_networks.note.E37": (
        "笔记把 Ã 称作邻接矩阵，后来又令 Ã = A + I。邻接矩阵是 A，"
        "Ã 带自环；度矩阵 D̃ 是 Ã 的行和，**自环计入**。"
    ),
    "graph_networks.note.E37.number": "D̃ = {right}；不计自环则是 {notes}。",
    "graph_networks.note.E38": (
        "笔记的“一般的 GNN”没有层号，仿佛等式两边是同一个 hᵢ。第 l + 1 层的所有节点都由第 l 层**同时**算出。"
        "消息传递还有边的特征，以及对整张图的读出（readout）。"
    ),
    "graph_networks.note.E38.number": "权重全为 1 时，同时更新得 {right}；若逐个就地更新，则是 {notes}。",
    "graph_networks.note.E39": (
        "笔记用 Â 去乘单个节点的 hᵢ。应当乘的是**所有节点**的矩阵 H；对单个节点，就是对邻居和自己求和。"
    ),
    "graph_networks.note.E39.number": "W = 1、不加 σ 时：{right}。若只有 hᵢ，就听不到任何邻居：{notes}。",
    "graph_networks.note.E40": (
        "笔记的对称形式是对的。要当心：作者的 PyTorch 版本（pygcn）按行归一化，"
        "而与论文一致的 TensorFlow 版本是对称的。"
    ),
    "graph_networks.note.E40.number": "对称：{right}。按行：{notes}。",
    "graph_networks.paper.mpnn": "把它们统一起来的框架；边网络，set2set。",
    "graph_networks.paper.gcn": "对称归一化；很少的标签。",
    "graph_networks.paper.graphsage": "汇总方式，邻居抽样，从随机游走学习。",
    "graph_networks.paper.gat": "边上的注意力。",
    "graph_networks.paper.gatv2": "为什么那种注意力是静态的，怎样让它变成动态的。",
    "graph_networks.paper.smoothing": "为什么深层 GCN 让所有节点趋同。",
    # take away
    "graph_networks.take": "带走",
    "graph_networks.take.about": "链接会恢复网络、图、设置、训练轮次和节点。你自己的图不会随链接传送。",
    "graph_networks.take.SVG": "SVG",
    "graph_networks.take.SVG.help": "此刻着色的图，矢量格式",
    "graph_networks.take.PNG": "PNG",
    "graph_networks.take.PNG.help": "此刻着色的图，图片格式",
    "graph_networks.take.CSV": "CSV",
    "graph_networks.take.CSV.help": "每行一个节点：标签、预测、此刻的嵌入",
    "graph_networks.take.NPZ": "NPZ",
    "graph_networks.take.NPZ.help": "所有时刻的嵌入和 logits，供 numpy 读取",
    "graph_networks.take.weights": "权重",
    "graph_networks.take.weights.help": "最后的权重，按名称存放，NPZ 格式",
    # home
    "home.gcn.sentence": (
        "在图上学习的四种网络：消息传递、GCN、GraphSAGE 和 GAT。"
        "每条消息的每个数，逐轮变化的嵌入，都在你自己的图上。"
    ),
    "home.gcn.alt": "空手道俱乐部的图，分成两种颜色，网络没有把握处颜色较淡；每条边的一半画得与消息一样粗。",
}
