import { bootMachine } from '../../../machines/app/boot.ts';
import { categoriesMachine } from '../../../machines/app/categories.ts';
import type { Locale } from '../../../machines/model/store/language.ts';
import type { StoreProperties, StoreTexts } from '../../../machines/model/store/store.ts';
import type { Category } from '../../../machines/model/catalogue/title.ts';
import { requestPort } from '../../../machines/ports.ts';
import { fetchStoreProperties } from '../../client/store.ts';
import type { AppEnvironment } from '../app/environment.ts';

/** The icon of the tab where the store has none, or could not be loaded. */
const defaultIcon = '/favicon.svg';

export const createBoot = ({ asVisitor, showIcon }: AppEnvironment) =>
  bootMachine.provide({
    actors: {
      storeProperties: requestPort<StoreProperties>(async ({ signal }) => {
        try {
          const store = await asVisitor((api) => fetchStoreProperties(api, signal));
          showIcon(store.favIcon || defaultIcon);
          return store;
        } catch (error) {
          showIcon(defaultIcon);
          throw error;
        }
      }),
    },
  });

/** Fetches the store's texts in a language, and reloads the category tree in it. */
export const fetchStoreTexts = async (
  { api, setContentLanguage, reloadTree }: AppEnvironment,
  locale: Locale,
): Promise<StoreTexts> => {
  setContentLanguage(locale);
  // A store without categories supports every language, too.
  const tree = reloadTree().then(
    (categories) => ({ categories }),
    () => ({}),
  );
  return { store: await fetchStoreProperties(await api()), ...(await tree) };
};

export const createCategories = ({ categoryTree, treeAround }: AppEnvironment) =>
  categoriesMachine.provide({
    actors: {
      categoryTree: requestPort<Category[]>(categoryTree),
      treeAround: requestPort<Category[], string>(({ input }) => treeAround(input)),
    },
  });
