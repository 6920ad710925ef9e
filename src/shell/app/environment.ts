import type { Category } from '../../../machines/model/catalogue/title.ts';
import type { Scoped } from '../../client/environment/scope.ts';
import type { ShopClient } from '../../client/wire/shop-client.ts';
import type { ScrollMemory } from '../../history/scroll-position.ts';

/**
 * The dependencies of the machines' ports. Injected, so that no module has state: a browser has one
 * environment for its page's lifetime, the server a new one for each page that it renders.
 */
export type AppEnvironment = Scoped<EnvironmentParts>;

export type EnvironmentParts = ShopClient & {
  /** The visit's current path and query; the history port changes them. */
  address: () => { pathname: string; search: string };
  /** The category tree, loaded once; after a failure or an empty answer it is loaded again. */
  categoryTree: () => Promise<Category[]>;
  /**
   * The tree with the sub-categories of the category that `reference` names, requested once for
   * each category. A tree that has sub-categories is returned as it is. Where the tree has no such
   * category, the sub-categories of all its categories are requested.
   */
  treeAround: (reference: string) => Promise<Category[]>;
  /** Reloads the tree in the language that is selected now. */
  reloadTree: () => Promise<Category[]>;
  /** Shows a store's icon in the window's tab. */
  showIcon: (href: string) => void;
  /** Declares the page's language. */
  declareLanguage: (language: string) => void;
  scrolling: ScrollMemory;
  /**
   * Resolves when the first screen is shown and usable; facts that only a browser knows are
   * reported after that.
   */
  firstScreenReady: Promise<void>;
};
