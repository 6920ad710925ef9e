import type { Page } from '@playwright/test';
import type { FlowInput } from '../../machines/flows/flow-input.ts';
import { store } from '../../machines/path-models/path-model.ts';

const getFlags = (properties: FlowInput['store']): Map<string, boolean> =>
  new Map(Object.entries(properties).flatMap(([name, value]) => (typeof value === 'boolean' ? [[name, value]] : [])));

/**
 * Makes the shop serve a model's store, if its flags differ from those of the usual model store.
 */
export const stubStore = async (page: Page, input: Pick<FlowInput, 'store'>): Promise<void> => {
  const usualFlags = getFlags(store);
  const changedFlags = [...getFlags(input.store)]
    .filter(([name, value]) => usualFlags.get(name) !== value)
    .map(([name, value]) => [`${name.charAt(0).toUpperCase()}${name.slice(1)}`, value] as const);
  if (changedFlags.length === 0) return;
  await page.route('**/store/properties?*', async (route) => {
    const response = await route.fetch();
    let body = await response.text();
    for (const [name, value] of changedFlags) {
      const element = `<${name}>${value}</${name}>`;
      const elementPattern = new RegExp(`<${name}>[^<]*</${name}>`, 'i');
      body = elementPattern.test(body)
        ? body.replace(elementPattern, element)
        : body.replace(/<\/\w+>\s*$/, (endTag) => `${element}${endTag}`);
    }
    return route.fulfill({ response, body });
  });
  await page.route(
    (url) => !/^\/(api|assets|media)\//.test(url.pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const response = await route.fetch();
      let body = await response.text();
      for (const [name, value] of changedFlags)
        body = body.replace(new RegExp(`(<|\\\\u003c)${name}(>|\\\\u003e)[a-z]*`, 'i'), `$1${name}$2${value}`);
      return route.fulfill({ response, body });
    },
  );
};
