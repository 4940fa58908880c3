// What words of names and summaries are about.

export const resources = [
  'site',
  'content',
  'form',
  'submission',
  'comment',
  'key',
  'subscription',
  'delivery',
  'publication',
  'ai',
] as const;
export type Resource = (typeof resources)[number];

/** Verbs; `read` may be of one or of many, and `save` may create or update. */
export const verbs = [
  'create',
  'list',
  'get',
  'read',
  'update',
  'save',
  'delete',
  'publish',
  'import',
  'submit',
  'generate',
] as const;
export type Verb = (typeof verbs)[number];

/**
 * `other` makes an operation one that no gap is about ("preview", "users"). `neutral` says nothing. The rest are parts of compound names:
 * a log of pushes, the status of a publish, an access token.
 */
export type Concept =
  | Resource
  | Verb
  | 'log'
  | 'status'
  | 'push'
  | 'token'
  | 'data'
  | 'fail'
  | 'id'
  | 'container'
  | 'neutral'
  | 'other';

const table: Readonly<Record<Concept, string>> = {
  site: 'site website project zhandian wangzhan xiangmu 站点 网站 建站 项目',
  content: 'content article post entry story news neirong wenzhang gaojian xinwen 内容 文章 资讯 稿件 新闻',
  form: 'form biaodan 表单',
  submission: 'submission 提交记录 表单数据 提交数据',
  comment: 'comment guestbook pinglun liuyan 评论 留言',
  key: 'key apikey miyao 密钥 秘钥',
  subscription: 'webhook hook subscription subscribe dingyue 订阅 huidiao 回调 gouzi 钩子',
  delivery: 'delivery toudi 投递',
  publication: 'publication revision release deployment banben 版本 version build',
  ai: 'ai aigc copilot copywriting copywriter writer assistant llm gpt zhineng 智能 人工智能',
  create:
    'create creation issue add new insert xinjian chuangjian tianjia xinzeng 创建 新建 新增 添加 建立 发表',
  list: 'list search page paginate all index listing browse liebiao fenye sousuo 列表 分页 搜索 全部 所有',
  get: 'detail info retrieve show xiangqing 详情 信息',
  read: 'get read view find fetch query load look chaxun huoqu chakan 查询 获取 查看 读取',
  update: 'update edit modify change patch replace alter xiugai gengxin bianji 修改 更新 编辑 变更',
  save: 'save upsert store baocun 保存',
  delete: 'delete remove revoke unsubscribe del destroy drop erase shanchu yichu 删除 移除 吊销 退订 注销',
  publish: 'publish deploy golive launch online live shangxian fabu 发布 上线',
  import: 'import daoru 导入 搬家',
  submit: 'submit send tijiao 提交',
  generate:
    'generate generation complete completion chat ask compose write rewrite writing shengcheng xiezuo 生成 对话 问答 写作 文案',
  log: 'log record history attempt call jilu rizhi lishi 记录 日志 历史',
  status: 'status state progress zhuangtai jindu 状态 进度',
  push: 'push callback tuisong 推送',
  token: 'token lingpai 令牌',
  data: 'data response shuju 数据',
  fail: 'fail failing failure failed shibai 失败',
  id: 'id uid uuid pk identifier code no number slug bianhao 编号 标识',
  container: 'user account profile setting settings personal member console backend 设置 个人 账户 账号',
  neutral:
    'api apis open openapi rest rpc svc service server tenant portal app web my me mine self own v index php do action json jsp aspx cgi ' +
    'manage management manager mgmt center platform cms core biz gateway visitor public front frontend client pub access cloud item mutation ' +
    'zuhu guanli kaifang gongkai gongzhong the a an of for to and or by with in on from its this s controller resource endpoint handler viewset using via ' +
    '公众 公开 租户 管理 接口 开放 平台 后台 控制台 应用 服务 一个 单个 一条 一篇 当前 我的 指定 某个 的 在 为 中 该 访客 用户',
  other:
    'pages preview unpublish offline cancel batch bulk reply rotate refresh test retry redeliver resend replay enable disable toggle approve ' +
    'reject moderate audit review export copy clone duplicate restore archive trash recycle schedule validate validation check verify sort ' +
    'move upload download rename transfer lock unlock regenerate reset stop pause resume rollback revert count stat statistic statistics ' +
    'analytics metric summary report dashboard template theme category tag label media asset file image picture video menu navigation domain ' +
    'role permission team invite invitation login logout register password captcha notification sms email mail admin internal ' +
    'backup draft option config configuration definition schema field plugin order bill billing invoice usage health ping ' +
    'clear empty purge share favorite like vote top pin recommend spam block ban merge diff compare lint seo sitemap translate translation ' +
    'takedown withdraw retract suspend terminate abort halt deactivate hide freeze undo undelete discard wipe prepare estimate defer renew void expire extend postpone delay suggest remind forgot ' +
    'mute unmute press ticket except excluding besides older others unlist leave buy purchase slot credit train training staging sandbox screenshot gallery collaborator accounting tax board visit shipment stock mobile ios android wechat weixin miniprogram xiaochengxu facebook instagram marketplace integration announcement redirect snippet favicon locale timezone certificate ssl job task cron avatar layout section widget component store shop product cart coupon payment ' +
    'soft tingzhi zhongzhi tingyong xiajia gonggao ruanshan simulate simulation moni apply propose maintenance favourite watchlist device plan subscriber newsletter feed rss parcel ' +
    'yulan quxiao piliang huifu ceshi chongshi qiyong jinyong shenhe daochu fuzhi huishouzhan fenlei biaoqian moban meiti yonghu chengyuan ' +
    'juese yuming zhuti caidan tongji tongzhi duanxin youjian beifen denglu mima quanxian caogao huigun xiaxian zhiding paixu xiazai shangchuan ' +
    '预览 取消 批量 回复 测试 重试 重发 启用 禁用 审核 驳回 导出 复制 克隆 回收站 分类 标签 模板 媒体 图片 成员 角色 域名 主题 菜单 统计 通知 短信 邮件 ' +
    '备份 登录 登陆 密码 权限 回滚 下线 撤回 撤销 置顶 排序 下载 上传 校验 检查 重置 轮换 刷新 清空 恢复 归档 定时 配置 定义 字段 团队 订单 用量 额度 翻译 失效 草稿 ' +
    '除 外 撤下 关闭 沙箱 购买 续费 切换 更换 旧 覆盖 保留 其他 其它 成员 小程序 微信 消息 停止 终止 停用 中止 下架 公告 预检 已删除 已删 已归档 全平台 软删除 软删 逻辑删除 逻辑 暂停 隐藏 冻结 解绑 绑定 催 撤销发布 延迟 稍后 计划 模拟 申请 维护 收藏 模版 套餐 订阅者 会员 公众号 设备',
};

/** Each word with what it is about. Where two lists have a word, the later one counts. */
export const concepts: ReadonlyMap<string, Concept> = new Map(
  Object.entries(table).flatMap(([concept, words]) =>
    words.split(' ').map((word): [string, Concept] => [word, concept as Concept]),
  ),
);

export function isHan(text: string): boolean {
  return /^\p{Script=Han}/u.test(text);
}
