import type { Api } from '../../../src/client/wire/client.ts';
import { categoryTreeOf } from '../../../src/shell/navigation/category-tree.ts';
import { owning } from '../../../src/client/world/own.ts';
import type { World, WorldParts } from '../../../src/shell/app/world.ts';

/** A visitor's world that reaches the API which `api` names at each call, and remembers no list's place. */
export const shopWorld = (api: () => Api, parts: Partial<WorldParts> = {}): World => {
  const client = {
    api: async () => api(),
    config: () => Promise.reject(new Error('No configuration is known.')),
    asVisitor: async <Answer>(call: (of: Api) => Promise<Answer>) => call(api()),
    onRefused: () => () => {},
    askIn: () => {},
    spokenLanguage: () => 'en',
    token: () => null,
    calls: () => null,
  };
  return owning<WorldParts>({
    ...client,
    ...categoryTreeOf(client),
    address: () => ({ pathname: '/', search: '' }),
    showIcon: () => {},
    declareLanguage: () => {},
    scrolling: { saved: () => ({ y: 0, titles: 0, isReturn: false }), keepCount: () => {}, follow: () => () => {} },
    stands: Promise.resolve(),
    ...parts,
  });
};
