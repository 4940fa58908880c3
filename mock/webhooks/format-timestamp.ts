/** ISO 8601 with the given UTC offset: "2026-01-02T03:04:05+08:00". */
export function formatTimestamp(at: number, offset: string): string {
  const local = new Date(at + minutesOf(offset) * 60_000).toISOString();
  return `${local.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}${offset}`;
}

function minutesOf(offset: string): number {
  if (offset === 'Z') return 0;
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
