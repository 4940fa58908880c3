/** Whether a text can be a subscription's receiving URL. URL alone would parse "http:///x" and "http:x" as URLs of a host "x". */
export function isReceivingUrl(text: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text);
}
