/**
 * Lint for machines: a machine depends only on its input and its events, otherwise no trace can
 * replay it. State that outlives a step is in its context, never in a variable of a file or of an
 * enclosing function. For the code around machines: state that outlives a call belongs to an
 * environment, never to a module variable.
 */

/** A node of the syntax tree (ESTree), as far as these rules read it. */
type Node = {
  type: string;
  parent: Node;
  name: string;
  value: unknown;
  computed: boolean;
  operator: string;
  kind: string;
  arguments: readonly Node[];
  property: Node;
  object: Node;
  left: Node;
  callee: Node;
  id: Node;
  init: Node | null;
};
type Reference = { identifier: Node; init?: boolean };
type Variable = {
  name: string;
  defs: readonly { type: string; name: Node; node: Node; parent: Node | null }[];
  references: readonly Reference[];
};
type Scope = { type: string; variables: readonly Variable[]; through: readonly Reference[] };
type Context = {
  sourceCode: { scopeManager: { scopes: readonly Scope[]; globalScope: Scope } };
  report: (complaint: { node: Node; messageId: string; data: { name: string } }) => void;
};

const mutatingMethods = new Set(
  'add clear copyWithin delete fill pop push reverse set shift sort splice unshift defineProperty assign setPrototypeOf'.split(
    ' ',
  ),
);
/** Methods of `Object` that mutate their first argument. */
const objectMutators = new Set(['assign', 'defineProperty', 'setPrototypeOf']);

const isFunction = ({ type }: Node): boolean => type.includes('Function');
const getName = ({ computed, property }: Node): string => (computed ? String(property.value) : property.name);

/** The outermost member expression `a.b[c]` that begins with this name. */
const getOutermostMember = (node: Node): Node => {
  let member = node;
  while (member.parent.type === 'MemberExpression' && member.parent.object === member) member = member.parent;
  return member;
};

/**
 * Whether a node is assigned to in a destructuring pattern, as in `[a.b] = [1]` or `({ c: a.b } =
 * d)`.
 */
const isInPattern = ({ parent }: Node): boolean =>
  ['ArrayPattern', 'Property', 'AssignmentPattern', 'RestElement'].includes(parent.type) && isAssignedPattern(parent);
const isAssignedPattern = (node: Node): boolean => {
  const { parent } = node;
  if (parent.type === 'AssignmentExpression') return parent.left === node && node.type.endsWith('Pattern');
  return (
    ['ArrayPattern', 'ObjectPattern', 'Property', 'AssignmentPattern', 'RestElement'].includes(parent.type) &&
    isAssignedPattern(parent)
  );
};

const isChanged = (node: Node): boolean => {
  const { parent } = node;
  if (node.type === 'MemberExpression' && isInPattern(node)) return true;
  if (parent.type === 'AssignmentExpression') return parent.left === node;
  if (parent.type === 'UpdateExpression') return true;
  if (parent.type === 'UnaryExpression') return parent.operator === 'delete';
  if (parent.type !== 'CallExpression') return false;
  if (parent.callee === node) return node.type === 'MemberExpression' && mutatingMethods.has(getName(node));
  const { callee } = parent;
  return parent.arguments[0] === node && callee.type === 'MemberExpression' && objectMutators.has(getName(callee));
};

const findEnclosingFunction = (node: Node): Node | null => {
  let ancestor: Node | null = node;
  while (ancestor && !isFunction(ancestor)) ancestor = ancestor.parent;
  return ancestor;
};

/** The node to report if a variable's value outlives a step; null otherwise. */
const findEscapingWrite = ({ defs, references }: Variable, scope: string): Node | null => {
  const [definition] = defs;
  if (!definition || ['ImportBinding', 'Type'].includes(definition.type)) return null;
  const { type, name, node, parent } = definition;
  if (scope === 'module' && parent?.type === 'VariableDeclaration' && parent.kind !== 'const') return name;
  // A parameter belongs to the function that takes it.
  const owner = findEnclosingFunction(type === 'Parameter' ? node : name.parent);
  const isWrite = ({ identifier, init }: Reference) =>
    init !== true && findEnclosingFunction(identifier) !== owner && isChanged(getOutermostMember(identifier));
  return references.find(isWrite)?.identifier ?? null;
};

const stateOutsideContext = {
  meta: {
    type: 'problem',
    messages: { escapes: '“{{name}}” outlives a step but is not in the context: no trace can replay it.' },
  },
  create: (context: Context) => ({
    'Program:exit': (): void => {
      for (const scope of context.sourceCode.scopeManager.scopes) {
        for (const variable of scope.variables) {
          const node = findEscapingWrite(variable, scope.type);
          if (node) context.report({ node, messageId: 'escapes', data: { name: variable.name } });
        }
      }
    },
  }),
};

/**
 * Whether a function or `new Promise` created the value. Such values hold state: a promise holds
 * all of its callbacks until it settles. Only React's contexts hold none.
 */
const isCreated = ({ defs }: Variable): boolean => {
  const init = defs[0]?.node.init;
  if (init?.type === 'NewExpression') return init.callee.name === 'Promise';
  return init?.type === 'CallExpression' && /^create(?!Context$)/.test(init.callee.name);
};

/**
 * Forbids state in modules: a module is loaded once for all pages, and on a server once for all
 * requests.
 */
const stateOfModule = {
  meta: {
    type: 'problem',
    messages: { escapes: 'Module state “{{name}}” is shared by all requests: it belongs to an environment (`scoped`).' },
  },
  create: (context: Context) => ({
    'Program:exit': (): void => {
      for (const scope of context.sourceCode.scopeManager.scopes) {
        if (scope.type !== 'module') continue;
        for (const variable of scope.variables) {
          const node = findEscapingWrite(variable, scope.type) ?? (isCreated(variable) ? variable.defs[0]?.name : null);
          if (node) context.report({ node, messageId: 'escapes', data: { name: variable.name } });
        }
      }
    },
  }),
};

const globalNames = new Set(['console', 'globalThis', 'performance', 'crypto', 'process', 'self', 'window']);
const clocks: Readonly<Record<string, string>> = { Date: 'now', Math: 'random' };
/** Globals that must not be aliased, since their calls could not be tracked under another name. */
const trackedGlobals = new Set(['Date', 'Intl', 'Math']);
const isAliased = ({ parent }: Node): boolean =>
  !['MemberExpression', 'CallExpression', 'NewExpression', 'TSQualifiedName', 'TSTypeReference', 'BinaryExpression'].includes(
    parent.type,
  );
const localTimeMethods =
  /^(get|set)(Date|Day|FullYear|Hours|Milliseconds|Minutes|Month|Seconds|Year)$|^getTimezoneOffset$|^to(Date|Time)String$/;
const localeMethods = /^toLocale\w*String$|^localeCompare$|^toLocale(Lower|Upper)Case$/;
/** The number of arguments with which locale and format are explicit. */
const getMinArguments = (name: string): number => (name === 'toLocaleLowerCase' || name === 'toLocaleUpperCase' ? 1 : 2);

const globalState = {
  meta: { type: 'problem', messages: { read: 'A machine must not read “{{name}}” or other global state: use a port.' } },
  create: (context: Context) => {
    const report = (node: Node, name: string): void => context.report({ node, messageId: 'read', data: { name } });
    const checkIntl = (node: Node): void => {
      const { callee } = node;
      const [locale, options] = node.arguments;
      const isExplicit = locale !== undefined && locale.name !== 'undefined' && options !== undefined;
      if (callee.type === 'MemberExpression' && callee.object.name === 'Intl' && !isExplicit) report(node, 'Intl');
    };
    return {
      Program: (): void => {
        const { through, variables } = context.sourceCode.scopeManager.globalScope;
        const references = [...through, ...variables.flatMap((variable) => variable.references)];
        for (const { identifier } of references) {
          const isGlobalState =
            globalNames.has(identifier.name) || (trackedGlobals.has(identifier.name) && isAliased(identifier));
          if (isGlobalState) report(identifier, identifier.name);
        }
      },
      MemberExpression: (node: Node): void => {
        const { object, parent } = node;
        const name = getName(node);
        if (object.type === 'Identifier' && clocks[object.name] === name) report(node, `${object.name}.${name}`);
        if (localTimeMethods.test(name)) report(node, name);
        const isCall = parent.type === 'CallExpression' && parent.callee === node;
        if (localeMethods.test(name) && isCall && parent.arguments.length < getMinArguments(name)) report(node, name);
      },
      VariableDeclarator: ({ id, init }: Node): void => {
        if (id.type === 'ObjectPattern' && init?.type === 'Identifier' && init.name in clocks) report(init, init.name);
      },
      NewExpression: (node: Node): void => {
        if (node.callee.name === 'Date' && node.arguments.length !== 1) report(node, 'new Date()');
        checkIntl(node);
      },
      CallExpression: (node: Node): void => {
        if (node.callee.name === 'Date') report(node.callee, 'Date()');
        checkIntl(node);
      },
    };
  },
};

export default {
  meta: { name: 'pure-machines' },
  rules: { 'state-outside-context': stateOutsideContext, 'state-of-module': stateOfModule, world: globalState },
};
