/** ISO 8601 with the given UTC offset: "2026-01-02T03:04:05+08:00". */
export function formatTimestamp(at: number, offset: string): string {
  const local = new Date(at + minutesOf(offset) * 60_000).toISOString();
  return `${local.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}${offset}`;
}

function minutesOf(offset: string): number {
  if (offset === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4));
  return offset.startsWith('-') ? -minutes : minutes;
}
