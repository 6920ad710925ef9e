import type { Answer, Call } from '../calls/call.ts';

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
/** Colours and plain words: no value can contain more CSS than its token. */
const VALUE = /^(?:#[0-9a-f]{3,8}|[a-z][a-z0-9-]{0,63}|\d{1,4}(?:\.\d{1,4})?(?:px|rem|em|%)?)$/i;
const NAME = /^[A-Za-z][\w.-]{0,63}$/;

/** A hex colour with 30% less brightness. */
function darken(color: string): string {
  const hex = color.slice(1);
  const wide = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const parts = [0, 2, 4].map((at) => Math.round(Number.parseInt(wide.slice(at, at + 2), 16) * 0.7));
  return `#${parts.map((each) => each.toString(16).padStart(2, '0')).join('')}`;
}

/** The theme derived from the store's colour, overridden by the store's own tokens. */
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
  const own = Object.entries(row.theme).filter(
    (token): token is [string, string] => NAME.test(token[0]) && typeof token[1] === 'string' && VALUE.test(token[1]),
  );
  return { ...(HEX.test(color) ? { sidebar: color, footer: darken(color) } : {}), ...Object.fromEntries(own) };
}
