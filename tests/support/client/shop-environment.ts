import type { Api } from '../../../src/client/wire/client.ts';
import { createCategoryTree } from '../../../src/shell/navigation/category-tree.ts';
import { createScope } from '../../../src/client/environment/scope.ts';
import type { AppEnvironment, EnvironmentParts } from '../../../src/shell/app/environment.ts';

/**
 * A visitor's environment, which stores no list positions. `api` is called for each use of the API.
 */
export const createShopEnvironment = (api: () => Api, parts: Partial<EnvironmentParts> = {}): AppEnvironment => {
  const client = {
    api: async () => api(),
    config: () => Promise.reject(new Error('The environment has no configuration.')),
    asVisitor: async <Answer>(call: (visitorApi: Api) => Promise<Answer>) => call(api()),
    onRefused: () => () => {},
    setContentLanguage: () => {},
    spokenLanguage: () => 'en',
    token: () => null,
    calls: () => null,
  };
  return createScope<EnvironmentParts>({
    ...client,
    ...createCategoryTree(client),
    address: () => ({ pathname: '/', search: '' }),
    showIcon: () => {},
    declareLanguage: () => {},
    scrolling: { read: () => ({ y: 0, titles: 0, isReturn: false }), keepCount: () => {}, follow: () => () => {} },
    firstScreenReady: Promise.resolve(),
    ...parts,
  });
};
