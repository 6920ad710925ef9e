/**
 * Lint for the server, which has two clocks: the shop's, which an operator may move, and the real
 * one. Each use states the clock: `shopNow` or `realNow`, in SQL `shop_now()` or `realNowSql`.
 */

/** A node of the syntax tree (ESTree), as far as this rule reads it. */
type Node = {
  type: string;
  name: string;
  computed: boolean;
  arguments: readonly unknown[];
  callee: Node;
  object: Node;
  property: Node & { value: unknown };
  id: Node;
  init: Node | null;
  tag: Node;
  quasi: { quasis: readonly { value: { raw: string } }[] };
};
type Context = { report: (complaint: { node: Node; messageId: 'time' | 'sql'; data?: { name: string } }) => void };

const SQL_TIME =
  /(?<![\w.])(?:(?:now|(?:clock|statement|transaction)_timestamp)\s*\(|current_(?:date|time|timestamp)\b|local(?:time|timestamp)\b)/i;

const isDate = (node: Node | null): boolean => node?.type === 'Identifier' && node.name === 'Date';

const clockRule = {
  meta: {
    type: 'problem',
    messages: {
      time: 'State which clock is meant: shopNow() or realNow() of server/base/clock/time.ts.',
      sql: 'State which clock “{{name}}” means: shop_now(), or realNowSql or realMomentSql of server/base/clock/sql-time.ts.',
    },
  },
  create: (context: Context) => {
    const report = (node: Node): void => context.report({ node, messageId: 'time' });
    return {
      NewExpression: (node: Node): void => {
        if (isDate(node.callee) && node.arguments.length === 0) report(node);
      },
      CallExpression: (node: Node): void => {
        if (isDate(node.callee)) report(node);
      },
      MemberExpression: (node: Node): void => {
        const { computed, object, property } = node;
        if (isDate(object) && (computed ? property.value : property.name) === 'now') report(node);
      },
      VariableDeclarator: (node: Node): void => {
        if (isDate(node.init)) report(node);
      },
      TaggedTemplateExpression: (node: Node): void => {
        if (node.tag.name !== 'sql') return;
        const [name] = node.quasi.quasis.flatMap(({ value }) => SQL_TIME.exec(value.raw) ?? []);
        if (name !== undefined) context.report({ node, messageId: 'sql', data: { name } });
      },
    };
  },
};

export default { meta: { name: 'server-clock' }, rules: { named: clockRule } };
