import type { KyselyPlugin } from 'kysely';
import type { Shop } from './shop.ts';

type QueryKind = 'SelectQueryNode' | 'UpdateQueryNode' | 'DeleteQueryNode';

/**
 * Runs `interruption` at the worst moment of a call: once, right after the shop's first query of
 * this kind that names this table or column, before the shop uses the result. The query must be
 * outside a transaction: the embedded database has one connection.
 * @returns a check that such a query was made, which the test must call
 */
export function runAfterQuery(shop: Shop, kind: QueryKind, name: string, interruption: () => Promise<unknown>): () => void {
  const { db } = shop;
  let matchedQueryId: object | null = null;
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const isMatch = node.kind === kind && JSON.stringify(node).includes(`"name":"${name}"`);
      if (isMatch && matchedQueryId === null) matchedQueryId = queryId;
      return node;
    },
    async transformResult({ queryId, result }) {
      if (queryId !== matchedQueryId) return result;
      shop.services.db = db;
      await interruption();
      return result;
    },
  };
  shop.services.db = db.withPlugin(plugin);
  return () => {
    shop.services.db = db;
    if (matchedQueryId === null) throw new Error(`No ${kind} query on ${name} was made.`);
  };
}
