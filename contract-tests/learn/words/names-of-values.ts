// What the values of a call and of an answer are called: by placeholder or pointer, names in words, the likeliest first.

/** Of values in a path, query or body. "site id" is the end of "site_id", "siteId" and "/site/id". */
export const namesOfPlaceholders: Readonly<Record<string, readonly string[]>> = {
  name: names(
    'site name|display name|name|site title|title|label|key name|alias|mingcheng|zhandian mingcheng|站点 名称|名称|description|remark|note|beizhu|备注|nom|nombre',
  ),
  source: names(
    'source|source url|source uri|import url|import uri|from url|site url|origin url|remote url|url|origin|from|source address|link|address|laiyuan|laiyuan url|yuan url|来源|quelle|fuente',
  ),
  note: names(
    'note|publish note|release note|change note|remark|comment|message|memo|changelog|change log|description|reason|summary|beizhu|shuoming|备注|说明|hinweis|nachricht|nota',
  ),
  prompt: names(
    'prompt|user prompt|instruction|question|input|query|message|text|content|topic|requirement|tishici|tishi|wenti|提示 词|提示|问题|nachricht',
  ),
  title: names(
    'title|headline|content title|article title|heading|subject|name|biaoti|标题|titel|titre|titulo|título',
  ),
  text: names(
    'text|body|content|html|markdown|content text|body text|body html|html body|message|comment|neirong|zhengwen|正文|内容|inhalt|contenu|contenido|nachricht',
  ),
  author: names(
    'author|author name|author display name|nickname|nick name|nick|visitor name|user name|display name|name|visitor|commenter|user|zuozhe|nicheng|xingming|昵称|作者|姓名|autor|auteur|nom|nombre',
  ),
  fields: names(
    'fields|field values|values|form data|form fields|data|payload|answers|content|entries|submission|ziduan|shuju|字段|数据|felder|champs|campos',
  ),
  form: names('form|form id|form key|form name|form slug|form code|biaodan|biaodan id|表单'),
  page: names('page|page number|page no|page num|page index|current page|current|pn|p|yema|页 码|页码'),
  page_size: names('page size|size|per page|page limit|limit|rows|count|ps|pagesize|meiye|每 页 数量'),
  offset: names('offset|skip|start|from|start index|begin'),
  limit: names('limit|take|size|max results|count|page size|per page|top|max|rows'),
  cursor: names(
    'cursor|after|next cursor|page token|next token|starting after|marker|continuation|start key|next',
  ),
};

/** Of values in an answer, or in an item of its list. */
export const namesOfReads: Readonly<Record<string, readonly string[]>> = {
  id: [],
  list: names('list|items|records|rows|results|entries|elements|content|data|liebiao|列表'),
  total: names('total|total count|total size|total elements|total items|count|total number|zongshu|总数'),
  next: names('next cursor|next|next page token|next token|cursor|after|page after|end cursor|next after'),
  name: names('site name|display name|name|key name|title|label|site title|alias|mingcheng|名称|nom|nombre'),
  version: names(
    'version|version no|version number|publish version|published version|current version|live version|latest version|release version|version id|banben|banben hao|banbenhao|版本 号|版本|revision|release no|release',
  ),
  key: names(
    'api key|key|plain key|plain|plaintext|plain text|plain text key|full key|key plaintext|secret key|secret|token|api token|access key|key value|key string|value|miyao|mingwen|密钥|明文',
  ),
  text: names(
    'text|answer|result|output|content|reply|completion|generated text|message|body|html|neirong|jieguo|正文|内容|结果|inhalt|contenu|contenido|nachricht',
  ),
  title: names(
    'title|headline|content title|article title|heading|subject|name|biaoti|标题|titel|titre|titulo|título',
  ),
  state: names(
    'state|status|publish status|publish state|content status|delivery status|stage|phase|zhuangtai|状态',
  ),
  updated_at: names(
    'updated at|update time|updated time|updated|modified at|modify time|modified|gmt modified|last modified|last updated|last updated at|gengxin shijian|更新 时间',
  ),
  created_at: names(
    'created at|create time|created time|created|creation time|gmt create|gmt created|date created|created on|chuangjian shijian|创建 时间',
  ),
  at: names(
    'at|submitted at|submit time|created at|create time|created|created time|received at|posted at|time|timestamp|date|gmt create|tijiao shijian|创建 时间|提交 时间',
  ),
  form: names('form|form name|form key|form slug|form id|form code|biaodan|表单'),
  fields: names(
    'fields|field values|values|form data|form fields|data|payload|answers|content|ziduan|shuju|字段|数据|felder|champs|campos',
  ),
  author: names(
    'author|author name|author display name|nickname|nick name|nick|visitor name|user name|display name|name|visitor|commenter|zuozhe|nicheng|昵称|作者|autor|auteur',
  ),
  pages: names(
    'pages|page count|pages published|published pages|total pages|page total|num pages|yeshu|页数',
  ),
  url: names(
    'url|target url|callback url|webhook url|endpoint|endpoint url|receiver url|receiving url|target|address|notify url|hook url|push url|callback|地址',
  ),
  events: names(
    'events|event types|event names|topics|event type list|event list|event|subscribed events|shijian|事件',
  ),
  channel: names('channel|channel type|kind|type|platform|provider|format|target type|qudao|渠道'),
  event: names('event|event name|event type|topic|type|event code|shijian|事件'),
  next_attempt_at: names(
    'next attempt at|next attempt|next retry at|next retry time|next retry|retry at|next try at|next attempt time|next push time|xiaci chongshi shijian|下次 重试 时间',
  ),
  attempts: names('attempts|attempt list|tries|attempt count|attempt number|times'),
};

function names(text: string): string[] {
  return text.split('|');
}
