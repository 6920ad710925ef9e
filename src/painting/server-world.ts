import type { PaintAnswer, PaintCall, PaintTask, UsedAnswer } from '../../machines/model/painting.ts';
import { loadConfig } from '../client/config.ts';
import { owning } from '../client/own.ts';
import { createShopClient } from '../client/shop-client.ts';
import { categoryTreeOf } from '../shell/category-tree.ts';
import type { World, WorldParts } from '../shell/world.ts';

export type ServerWorld = World & {
  /** What was answered so far, in the order in which it was asked. */
  answers: UsedAnswer[];
};

type Visit = Pick<PaintTask, 'config' | 'origin' | 'pathname' | 'search' | 'language'>;

const never = new Promise<never>(() => {});

/**
 * The world of one page that the server paints for a visitor: its address never changes, nobody is signed in, its calls are answered by
 * this very server, and nothing ever stands in a window.
 */
export const createServerWorld = (
  { config, origin, pathname, search, language }: Visit,
  call: (call: PaintCall) => Promise<PaintAnswer>,
): ServerWorld => {
  const answers: UsedAnswer[] = [];
  const client = createShopClient({
    loadConfig: () => loadConfig(config),
    send: async (request) => {
      const url = new URL(request.url);
      if (request.method !== 'GET' || url.origin !== origin)
        throw new TypeError('A page that is painted only reads from its own server.');
      const path = url.pathname + url.search;
      const { status, type, text } = await call({ path, language: request.headers.get('accept-language') ?? language });
      // That there is no such thing is an answer, too; a browser asks again for what has failed.
      if (status === 200 || status === 404) answers.push({ call: path, status, type, text });
      return new Response(status === 204 ? null : text, { status, headers: { 'content-type': type } });
    },
    token: () => null,
    clearSession: () => {},
    spokenLanguage: () => language,
    report: () => {},
    origin,
  });
  const world = owning<WorldParts>({
    ...client,
    ...categoryTreeOf(client),
    address: () => ({ pathname, search }),
    showIcon: () => {},
    declareLanguage: () => {},
    scrolling: { saved: () => ({ y: 0, titles: 0, isReturn: false }), keepCount: () => {}, follow: () => () => {} },
    stands: never,
  });
  return { ...world, answers };
};
