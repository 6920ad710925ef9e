import type { Answer, Call } from '../calls/call.ts';

const HEX_COLOR_PATTERN = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
/** Matches colours, lengths and plain words: no value can contain more CSS than its token. */
const TOKEN_VALUE_PATTERN = /^(?:#[0-9a-f]{3,8}|[a-z][a-z0-9-]{0,63}|\d{1,4}(?:\.\d{1,4})?(?:px|rem|em|%)?)$/i;
const TOKEN_NAME_PATTERN = /^[A-Za-z][\w.-]{0,63}$/;

/** Returns a hex colour with 30% less brightness. */
function darken(color: string): string {
  const hex = color.slice(1);
  const longHex = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const channels = [0, 2, 4].map((offset) => Math.round(Number.parseInt(longHex.slice(offset, offset + 2), 16) * 0.7));
  return `#${channels.map((each) => each.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the theme derived from the store's colour, overridden by the store's own tokens. */
export async function theme({ services, store }: Call<'theme'>): Answer<'theme'> {
  const row = await services.db
    .selectFrom('stores')
    .leftJoin('properties', (join) =>
      join.onRef('properties.store_id', '=', 'stores.id').on('properties.name', '=', 'ShelfColor'),
    )
    .select(['stores.theme', 'properties.value'])
    .where('stores.id', '=', store.id)
    .executeTakeFirstOrThrow();
  const color = row.value?.trim().toLowerCase() ?? '';
  const storeTokens = Object.entries(row.theme).filter(
    (token): token is [string, string] =>
      TOKEN_NAME_PATTERN.test(token[0]) && typeof token[1] === 'string' && TOKEN_VALUE_PATTERN.test(token[1]),
  );
  return {
    ...(HEX_COLOR_PATTERN.test(color) ? { sidebar: color, footer: darken(color) } : {}),
    ...Object.fromEntries(storeTokens),
  };
}
