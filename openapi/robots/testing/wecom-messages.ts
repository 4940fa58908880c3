import { createHash } from 'node:crypto';
import { accepted, type RobotMessage, refused } from './robot-message.ts';

const url = 'https://example.com';
const text = (content: unknown) => ({ msgtype: 'text', text: { content } });
const markdown = (content: unknown) => ({ msgtype: 'markdown', markdown: { content } });
const md5 = (bytes: Buffer | string) => createHash('md5').update(bytes).digest('hex');
const base64 = (parts: object) => ({ msgtype: 'image', image: parts });
const image = (bytes: Buffer, digest = md5(bytes)) =>
  base64({ base64: bytes.toString('base64'), md5: digest });
const png = Buffer.from('89504e470d0a1a0a', 'hex');
const largest = Buffer.concat([png, Buffer.alloc(2 * 1_024 * 1_024 - png.length)]);
const article = { title: '标题', url };
const news = (...articles: unknown[]) => ({ msgtype: 'news', news: { articles } });
const action = { type: 1, url };
const card = (parts: object) => ({ msgtype: 'template_card', template_card: parts });
const notice = { card_type: 'text_notice', main_title: { title: '发布失败' }, card_action: action };
const listing = (horizontal_content_list: unknown) => card({ ...notice, horizontal_content_list });
const row = (entry: object) => listing([{ keyname: 'k', ...entry }]);
const jump = (entry: object) => card({ ...notice, jump_list: [{ title: 't', ...entry }] });
const acting = (card_action: object) => card({ ...notice, card_action });
const rows = (count: number) => Array.from({ length: count }, () => ({ keyname: 'k' }));

const mentioned = {
  content: 'form.submit',
  mentioned_list: ['@all'],
  mentioned_mobile_list: ['13800000000'],
};
const table = '# 标题\n| 列 | 值 |\n| :-- | --: |\n| event | form.submit |\n';

export const wecomMessages: readonly RobotMessage[] = [
  ...accepted('wecom', [
    ['a text with mentions', { msgtype: 'text', text: mentioned }],
    [
      'markdown with colour and quotes',
      markdown(`### 完成\n>站点：<font color="info">示例</font>\n[查看](${url})`),
    ],
    ['markdown_v2 with a table', { msgtype: 'markdown_v2', markdown_v2: { content: table } }],
    ['an image', image(png)],
    ['news', news({ ...article, description: '说明', picurl: `${url}/a.png` })],
    ['a file', { msgtype: 'file', file: { media_id: 'MEDIA_ID' } }],
    ['a voice', { msgtype: 'voice', voice: { media_id: 'MEDIA_ID' } }],
    [
      'a card with all its parts',
      card({
        card_type: 'text_notice',
        source: { icon_url: `${url}/i.png`, desc: '示例', desc_color: 0 },
        main_title: { title: '发布失败', desc: 'publish.failed' },
        emphasis_content: { title: '1', desc: '失败数' },
        sub_title_text: '…',
        horizontal_content_list: [
          { keyname: '站点', value: '示例站点' },
          { keyname: '详情', value: '打开', type: 1, url },
        ],
        jump_list: [{ type: 1, url, title: '后台' }],
        card_action: action,
      }),
    ],
    ['no Content-Type', text('x'), { contentType: null }],
    ['the Content-Type that curl -d sends', text('x'), { contentType: 'application/x-www-form-urlencoded' }],
    ['unknown members', { ...text('x'), site: { id: 1 } }],
    ['the longest text of the document', text('a'.repeat(2_048))],
    ['the longest markdown', markdown(`a${'海'.repeat(1_365)}`)],
    ['a JPG', image(Buffer.from('ffd8ffe0', 'hex'))],
    ['a digest in upper case', image(png, md5(png).toUpperCase())],
    ['the largest image', image(largest)],
    ['eight articles with long titles', news(...Array(8).fill({ ...article, title: '栞'.repeat(500) }))],
    ['a card with only a subtitle', card({ ...notice, main_title: {}, sub_title_text: 'x' })],
    ['a news card without an action', card({ ...notice, card_type: 'news_notice', card_action: undefined })],
    ['a card that opens an app', acting({ type: 2, appid: 'a' })],
    ['a row that leads nowhere', row({ type: 0 })],
    ['a row with a file', row({ type: 2, media_id: 'm' })],
    ['a row with a person', row({ type: 3, userid: 'u' })],
    ['a jump to an app', jump({ type: 2, appid: 'a' })],
    ['six rows, three jumps', card({ ...notice, horizontal_content_list: rows(6), jump_list: rows(3) })],
  ]),
  {
    robot: 'wecom',
    what: 'a text longer than the document says, as long as the robot was seen to take',
    message: text('a'.repeat(5_120)),
    refusedBy: ['documented'],
    reason: /^text\.content may have 2048 bytes of UTF-8 at most, not 5120$/,
  },
  ...refused('wecom', [
    ['a text longer than was ever seen', text('a'.repeat(5_121)), /text\.content may have \d+ bytes/],
    ['4096 characters of 4098 bytes', markdown(`${'a'.repeat(4_095)}海`), /4096 bytes of .*, not 4098/],
    ['a PUT', text('x'), /accepts POST only, not PUT/, { method: 'PUT' }],
    ['a form', 'msgtype=text', /JSON object in UTF-8/],
    ['half a character', Buffer.from('{"msgtype":"text","text":{"content":"\xe6\xb5"}}', 'latin1'), /UTF-8/],
    ['a list', [text('x')], /JSON object/],
    ['the body of section 6.3', { event: 'content.publish', data: {} }, /^msgtype must be one of text, mark/],
    ['the type where Feishu has it', { msg_type: 'text', text: { content: 'x' } }, /^msgtype must be/],
    ['the member of another type', { msgtype: 'markdown', text: { content: 'x' } }, /^markdown is missing/],
    ['an empty text', text(''), /^text\.content is missing or empty/],
    ['a number as text', text(42), /^text\.content is missing/],
    ['an image that is no base64', base64({ base64: 'a*c=', md5: md5('x') }), /not base64/],
    ['an image without a digest', base64({ base64: 'iVBORw==' }), /^image\.md5 is missing/],
    ['the digest of the base64', image(png, md5(png.toString('base64'))), /md5 does not match/],
    ['a GIF', image(Buffer.from('GIF89a')), /neither JPG nor PNG/],
    ['an image of more than 2 MiB', image(Buffer.concat([largest, png])), /base64 may have 2097152 bytes/],
    ['nine articles', news(...Array(9).fill(article)), /must be 1 to 8/],
    ['no articles', news(), /must be 1 to 8/],
    ['an article without a link', news({ title: 't' }), /^news\.articles\.url is missing/],
    ['a file without its id', { msgtype: 'file', file: { id: 'x' } }, /^file\.media_id is missing/],
    ['a card with only its type', card({ card_type: 'text_notice' }), /neither main_title\.title nor/],
    ['a card of another type', card({ ...notice, card_type: 'vote' }), /card_type is invalid/],
    ['a card without an action', card({ ...notice, card_action: undefined }), /card_action is missing/],
    ['an action that leads nowhere', card({ ...notice, card_action: { type: 1 } }), /card_action is invalid/],
    ['an action to no app', acting({ type: 2 }), /card_action is invalid/],
    ['an action of type 0', acting({ type: 0 }), /card_action is invalid/],
    ['news with a wrong action', card({ ...notice, card_type: 'news_notice', card_action: {} }), /card_act/],
    ['a row without its link', row({ type: 1 }), /horizontal_content_list is invalid/],
    ['a row without its file', row({ type: 2, appid: 'a' }), /horizontal_content_list is invalid/],
    ['a row without its person', row({ type: 3 }), /horizontal_content_list is invalid/],
    ['rows that are no list', listing({}), /horizontal_content_list is/],
    ['a row that is not an object', listing(['x']), /horizontal_content_list is/],
    ['a jump to no app', jump({ type: 2, media_id: 'm' }), /jump_list is invalid/],
    ['a jump to a person', jump({ type: 3, userid: 'u' }), /jump_list is invalid/],
    ['base64 without its end', base64({ base64: 'iVBORw', md5: 'x' }), /not base64/],
    ['articles that are no list', { msgtype: 'news', news: { articles: {} } }, /^news\.articles is missing/],
    ['an article that is null', news(null), /^news\.articles\.title is missing/],
    ['seven rows', listing(rows(7)), /exceed max length 6/],
    ['four jumps', card({ ...notice, jump_list: rows(4) }), /exceed max length 3/],
    ['a jump without its link', jump({ type: 1 }), /jump_list is invalid/],
  ]),
];
