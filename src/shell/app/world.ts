import type { Category } from '../../../machines/model/catalogue/title.ts';
import type { Own } from '../../client/world/own.ts';
import type { ShopClient } from '../../client/wire/shop-client.ts';
import type { ScrollMemory } from '../../history/scroll-position.ts';

/**
 * What the ports of the shop's machines reach outside. It is handed in, so that none of it is kept by a module: a browser has one
 * for as long as its page lives, the server another one for each page that it paints.
 */
export type World = Own<WorldParts>;

export type WorldParts = ShopClient & {
  /** Where the visit is; ports of the history change it. */
  address: () => { pathname: string; search: string };
  /** The category tree, asked for once; one that did not come, or is empty, is asked for again. */
  categoryTree: () => Promise<Category[]>;
  /**
   * The tree with the sub-categories of the category that `reference` names, requested once for
   * each category. A tree with branches is returned as it is. Where the tree has no such
   * category, the sub-categories of all its categories are requested.
   */
  treeAround: (reference: string) => Promise<Category[]>;
  /** Asks for the tree anew, in the language that is asked in by now. */
  askTreeAgain: () => Promise<Category[]>;
  /** Shows a store's icon on the window. */
  showIcon: (href: string) => void;
  /** Says in which language the page is. */
  declareLanguage: (language: string) => void;
  scrolling: ScrollMemory;
  /** Settles when the first screen stands in a page that can be used; what only a browser knows is told after it. */
  stands: Promise<void>;
};
