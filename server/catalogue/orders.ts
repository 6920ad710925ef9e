/** A column to sort by, and which way. `kind` says how a cursor's value goes back into SQL. */
export type Order<Column extends string> = { column: Column; direction: 'asc' | 'desc'; kind: 'text' | 'number' | 'time' }

export type TitleColumn = 'sort_name' | 'added_at' | 'sort_price' | 'popularity'

const titleOrders: Record<string, Order<TitleColumn>> = {
  newest: { column: 'added_at', direction: 'desc', kind: 'time' },
  oldest: { column: 'added_at', direction: 'asc', kind: 'time' },
  name: { column: 'sort_name', direction: 'asc', kind: 'text' },
  'name-desc': { column: 'sort_name', direction: 'desc', kind: 'text' },
  price: { column: 'sort_price', direction: 'asc', kind: 'number' },
  'price-desc': { column: 'sort_price', direction: 'desc', kind: 'number' },
  popular: { column: 'popularity', direction: 'desc', kind: 'number' },
}

export type LibraryColumn = 'granted_at' | 'sort_name' | 'opened_at'

const libraryOrders: Record<string, Order<LibraryColumn>> = {
  recent: { column: 'granted_at', direction: 'desc', kind: 'time' },
  opened: { column: 'opened_at', direction: 'desc', kind: 'time' },
  name: { column: 'sort_name', direction: 'asc', kind: 'text' },
  'name-desc': { column: 'sort_name', direction: 'desc', kind: 'text' },
}

/** Sort options that stores are known to use for the same orders. */
const SYNONYMS: Record<string, string> = {
  title: 'name',
  'title-desc': 'name-desc',
  recent: 'newest',
  added: 'newest',
  newest: 'recent',
  purchased: 'recent',
  'last-read': 'opened',
  popularity: 'popular',
  bestselling: 'popular',
  'price-asc': 'price',
  'name-asc': 'name',
}

function find<C extends string>(orders: Record<string, Order<C>>, sort: string | undefined, own: string) {
  const asked = (sort ?? '').toLowerCase().replaceAll(/[_.:]/g, '-')
  const name = asked in orders ? asked : (SYNONYMS[asked] ?? own)
  const order = orders[name] ?? orders[own]
  if (!order) throw new Error(`No order ${own}.`)
  return { name: orders[name] ? name : own, order }
}

/** The order of a title list; unknown names mean the newest first. */
export const titleOrder = (sort: string | undefined) => find(titleOrders, sort, 'newest')
/** The order of a library; unknown names mean the latest acquisition first. */
export const libraryOrder = (sort: string | undefined) => find(libraryOrders, sort, 'recent')
