import type { KyselyPlugin } from 'kysely';
import type { Shop } from './shop.ts';

type QueryKind = 'SelectQueryNode' | 'UpdateQueryNode' | 'DeleteQueryNode';

/**
 * Runs `between` at the worst moment of a call: once, right after the shop's first query of this
 * kind that names this table or column, before the shop uses the result. The query must be outside
 * a transaction: the embedded database has one connection.
 * @returns a check that the moment came, which the test must call
 */
export function runBeforeQuery(shop: Shop, kind: QueryKind, name: string, between: () => Promise<unknown>): () => void {
  const { db } = shop;
  let interrupted: object | null = null;
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const isIt = node.kind === kind && JSON.stringify(node).includes(`"name":"${name}"`);
      if (isIt && interrupted === null) interrupted = queryId;
      return node;
    },
    async transformResult({ queryId, result }) {
      if (queryId !== interrupted) return result;
      shop.services.db = db;
      await between();
      return result;
    },
  };
  shop.services.db = db.withPlugin(plugin);
  return () => {
    shop.services.db = db;
    if (interrupted === null) throw new Error(`No ${kind} query on ${name} was made.`);
  };
}
