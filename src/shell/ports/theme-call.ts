import * as v from 'valibot';
import type { StoreTheme } from '../../../machines/model/store/store.ts';
import { toHexColor } from '../../client/wire/address.ts';
import type { Api } from '../../client/wire/client.ts';
import { readJsonResponse } from '../../client/wire/json.ts';

const ThemeTokens = v.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null);

/**
 * The colours of the store's own theme; other kinds of tokens, and values that are not colours, are
 * left out.
 */
export const fetchStoreTheme = async (api: Api, signal?: AbortSignal): Promise<StoreTheme> => {
  const tokens = await readJsonResponse(api, 'theme', api.client.GET('/theme', api.readOptions(signal)), ThemeTokens);
  const byName = new Map(Object.entries(tokens).map(([name, value]) => [name.toLowerCase(), value]));
  const theme: StoreTheme = {};
  for (const name of ['topBar', 'sidebar', 'footer'] as const) {
    const value = byName.get(name.toLowerCase());
    const color = typeof value === 'string' ? toHexColor(value) : '';
    if (color !== '') theme[name] = color;
  }
  return theme;
};
