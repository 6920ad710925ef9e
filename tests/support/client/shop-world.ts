import type { Api } from '../../../src/client/client.ts';
import { categoryTreeOf } from '../../../src/shell/category-tree.ts';
import type { World } from '../../../src/shell/world.ts';

/** A visitor's world that reaches the API which `api` names at each call, and remembers no list's place. */
export const shopWorld = (api: () => Api, parts: Partial<World> = {}): World => {
  const client = {
    api: async () => api(),
    asVisitor: async <Answer>(call: (of: Api) => Promise<Answer>) => call(api()),
    onRefused: () => () => {},
    askIn: () => {},
    spokenLanguage: () => 'en',
    token: () => null,
    calls: () => null,
  };
  return {
    ...client,
    ...categoryTreeOf(client),
    address: () => ({ pathname: '/', search: '' }),
    showIcon: () => {},
    declareLanguage: () => {},
    scrolling: { saved: () => ({ y: 0, titles: 0, isReturn: false }), keepCount: () => {}, follow: () => () => {} },
    stands: Promise.resolve(),
    ...parts,
  };
};
