import type { Plain, RecordedEvent } from '../../machines/trace/format.ts';

const longestText = 32;
const longest = 72;

const brief = (value: Plain | undefined): string => {
  if (typeof value === 'string') return `“${value.length > longestText ? `${value.slice(0, longestText)}…` : value}”`;
  if (Array.isArray(value)) return `${value.length} of them`;
  if (value === null || value === undefined || typeof value !== 'object') return String(value);
  // A problem says by its kind what went wrong.
  if (typeof value['kind'] === 'string')
    return [value['kind'], value['code'] ?? value['status']].filter(Boolean).map(String).join(' ');
  const keys = Object.keys(value);
  return `{${keys.slice(0, 4).join(', ')}${keys.length > 4 ? `, ${keys.length - 4} more` : ''}}`;
};

/** What an event carries, in a few words; nothing of what is personal. */
export const payloadText = (event: RecordedEvent): string => {
  const text = Object.entries(event)
    .filter(([key, value]) => key !== 'type' && key !== 'actorId' && value !== null)
    .map(([key, value]) => `${key} ${key === 'pii' ? 'hidden' : brief(value)}`)
    .join(', ');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};
