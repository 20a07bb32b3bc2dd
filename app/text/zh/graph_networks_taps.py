"""Words about the tensors inside the graph networks."""

MESSAGES: dict[str, str] = {
    "gcn.tap.norm": "一条消息算多重：两端节点度数（含自环）之积的平方根的倒数。所有层共用，只算一次。",
    "gcn.tap.transformed": "每个节点准备发出的内容：自己的向量乘以这一层的权重。",
    "gcn.tap.messages": "真正送到的消息：发送者的向量按边的权重缩放。前面是各条边，后面是节点发给自己的消息。",
    "gcn.tap.out": "一个节点收到的消息全部相加，再加偏置；负数变为 0。",
    "gcn.tap.logits": "最后一层的消息相加：每个类别一个数，最大的就是答案。",
    "graphsage.tap.aggregated.mean": "把邻居合成一个向量：取平均。没有邻居的节点得到全零。",
    "graphsage.tap.aggregated.max": "把邻居合成一个向量：每个邻居先过一个小线性层，再逐通道取最大值。",
    "graphsage.tap.aggregated.lstm": (
        "把邻居合成一个向量：LSTM 逐个读入邻居，这里是读完后的状态。结果与读入顺序有关。"
    ),
    "graphsage.tap.out": "节点自身与邻居各乘自己的权重后相加，再缩放到长度 1。",
    "graphsage.tap.logits": "由节点嵌入得到的分数：每个类别一个数，最大的就是答案。",
    "gat.tap.values": "每个节点在每个注意力头里准备发出的内容：自己的向量乘以这个头的权重。",
    "gat.tap.scores.1": (
        "softmax 之前，节点 i 对节点 j 的关注程度。其中 j 的那一部分对所有 i 都相同：GATv2 改的正是这一点。"
    ),
    "gat.tap.scores.2": (
        "softmax 之前，节点 i 对节点 j 的关注程度。两者先合并再过 LeakyReLU，因此每个节点可以有自己的排序。"
    ),
    "gat.tap.weights": (
        "注意力：在每个头里，一个节点分给各邻居和自己的份额，总和为 1。"
        "图中原有的自环记为 0，因为每个节点已自带一个。"
    ),
    "gat.tap.messages": "送到的消息：发送者的向量乘以它分到的注意力份额。",
    "gat.tap.out": "各个头的和并排放在一起，再过 ELU：负数被压向 −1。",
    "gat.tap.logits": "各个头的和取平均：每个类别一个数，最大的就是答案。",
    "message_passing.tap.encoded": "特征先变换到网络的宽度；此时还没有听到任何邻居。",
    "message_passing.tap.messages.linear": "M：一条边传递的内容，即发送者的向量经过权重 W₂，再乘以边的权重。",
    "message_passing.tap.messages.edge": (
        "M：一条边传递的内容。一个小网络把边的权重变成一个专属矩阵，发送者的向量再与它相乘。"
    ),
    "message_passing.tap.gathered": "Σ：一个节点收到的所有消息之和。",
    "message_passing.tap.out.linear": "U：节点自己的向量经过 W₁，加上听到的内容，负数变为 0。",
    "message_passing.tap.out.edge": "U：一个 GRU，状态是节点自己，输入是听到的内容；改变多少由门来决定。",
    "message_passing.tap.readout.sum": "R：用一个向量概括整张图，即所有节点之和。",
    "message_passing.tap.readout.set2set": "R：用一个向量概括整张图，分几次以注意力从各节点中收集。",
    "message_passing.tap.logits": "由节点向量得到的分数：每个类别一个数，最大的就是答案。",
}
