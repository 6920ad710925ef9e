import { bootMachine } from '../../machines/app/boot.ts';
import { categoriesMachine } from '../../machines/app/categories.ts';
import type { Locale } from '../../machines/model/language.ts';
import type { StoreProperties, StoreWords } from '../../machines/model/store.ts';
import type { Category } from '../../machines/model/title.ts';
import { requestPort } from '../../machines/ports.ts';
import { categories as loadCategories } from '../client/categories.ts';
import { storeProperties } from '../client/store.ts';
import { api, askIn, asVisitor } from '../client/open-client.ts';

const usualIcon = '/favicon.svg';

/** The window's icon: the store's, or the usual one when there is none or the store cannot be had. */
const showIcon = (href: string): void => {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (icon && icon.href !== new URL(href, location.href).href) icon.href = href;
};

export const boot = bootMachine.provide({
  actors: {
    storeProperties: requestPort<StoreProperties>(async ({ signal }) => {
      try {
        const store = await asVisitor((api) => storeProperties(api, signal));
        showIcon(store.favIcon || usualIcon);
        return store;
      } catch (error) {
        showIcon(usualIcon);
        throw error;
      }
    }),
  },
});

let loading: Promise<Category[]> | null = null;

/** The category tree, asked for once; one that did not come, or is empty, is asked for again. */
const loadTree = async (): Promise<Category[]> => {
  loading ??= asVisitor((api) => loadCategories(api));
  try {
    const tree = await loading;
    if (tree.length === 0) loading = null;
    return tree;
  } catch (error) {
    loading = null;
    throw error;
  }
};

/** What the store says of itself in a language; lists, too, find the tree in it from then on. */
export const storeWords = async (locale: Locale): Promise<StoreWords> => {
  askIn(locale);
  const calls = await api();
  // A store without categories speaks every language, too.
  const tree = (loading = loadCategories(calls)).then((categories) => ({ categories })).catch(() => ({}));
  return { store: await storeProperties(calls), ...(await tree) };
};

/** The category tree, null where it is not to be had. */
export const categoryTree = (): Promise<Category[] | null> => loadTree().catch(() => null);

export const categories = categoriesMachine.provide({ actors: { categoryTree: requestPort<Category[]>(loadTree) } });
