import { bootMachine } from '../../../machines/app/boot.ts';
import { categoriesMachine } from '../../../machines/app/categories.ts';
import type { Locale } from '../../../machines/model/store/language.ts';
import type { StoreProperties, StoreWords } from '../../../machines/model/store/store.ts';
import type { Category } from '../../../machines/model/catalogue/title.ts';
import { requestPort } from '../../../machines/ports.ts';
import { storeProperties } from '../../client/store.ts';
import type { World } from '../app/world.ts';

/** The window's icon where the store has none of its own, or cannot be had. */
const usualIcon = '/favicon.svg';

export const bootIn = ({ asVisitor, showIcon }: World) =>
  bootMachine.provide({
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

/** What the store says of itself in a language; lists, too, find the tree in it from then on. */
export const storeWords = async ({ api, askIn, askTreeAgain }: World, locale: Locale): Promise<StoreWords> => {
  askIn(locale);
  // A store without categories speaks every language, too.
  const tree = askTreeAgain().then(
    (categories) => ({ categories }),
    () => ({}),
  );
  return { store: await storeProperties(await api()), ...(await tree) };
};

export const categoriesIn = ({ categoryTree, treeAround }: World) =>
  categoriesMachine.provide({
    actors: {
      categoryTree: requestPort<Category[]>(categoryTree),
      treeAround: requestPort<Category[], string>(({ input }) => treeAround(input)),
    },
  });
