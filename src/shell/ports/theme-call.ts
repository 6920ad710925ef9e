import * as v from 'valibot';
import type { StoreTheme } from '../../../machines/model/store/store.ts';
import { colour } from '../../client/wire/address.ts';
import type { Api } from '../../client/wire/client.ts';
import { jsonAnswer } from '../../client/wire/json.ts';

const Tokens = v.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null);

/** The colours that the store has set for itself; tokens of another kind, and values that are no colour, are left out. */
export const storeTheme = async (api: Api, signal?: AbortSignal): Promise<StoreTheme> => {
  const tokens = await jsonAnswer(api, 'theme', api.client.GET('/theme', api.reading(signal)), Tokens);
  const byName = new Map(Object.entries(tokens).map(([name, value]) => [name.toLowerCase(), value]));
  const theme: StoreTheme = {};
  for (const name of ['topBar', 'sidebar', 'footer'] as const) {
    const value = byName.get(name.toLowerCase());
    const color = typeof value === 'string' ? colour(value) : '';
    if (color !== '') theme[name] = color;
  }
  return theme;
};
