/**
 * Lint for machines: what a machine does follows from its input and its events alone, or no trace replays it. What outlives
 * a step stands in its context, never in a variable of the file or of a function around. And for what surrounds them: what
 * outlives a call stands in a world, never in a variable of the file.
 */

/** A node of the syntax tree (ESTree), as far as these rules look at it. */
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

const changing = new Set(
  'add clear copyWithin delete fill pop push reverse set shift sort splice unshift defineProperty assign setPrototypeOf'.split(
    ' ',
  ),
);
/** Of these, the first argument is what changes. */
const ofObject = new Set(['assign', 'defineProperty', 'setPrototypeOf']);

const isFunction = ({ type }: Node): boolean => type.includes('Function');
const nameOf = ({ computed, property }: Node): string => (computed ? String(property.value) : property.name);

/** The outermost `a.b[c]` that begins with this name. */
const placeOf = (node: Node): Node => {
  let place = node;
  while (place.parent.type === 'MemberExpression' && place.parent.object === place) place = place.parent;
  return place;
};

/** Whether it is assigned to as a part of a pattern, as in `[a.b] = [1]` or `({ c: a.b } = d)`. */
const isInPattern = ({ parent }: Node): boolean =>
  ['ArrayPattern', 'Property', 'AssignmentPattern', 'RestElement'].includes(parent.type) && isWrittenPattern(parent);
const isWrittenPattern = (node: Node): boolean => {
  const { parent } = node;
  if (parent.type === 'AssignmentExpression') return parent.left === node && node.type.endsWith('Pattern');
  return (
    ['ArrayPattern', 'ObjectPattern', 'Property', 'AssignmentPattern', 'RestElement'].includes(parent.type) &&
    isWrittenPattern(parent)
  );
};

const isChanged = (place: Node): boolean => {
  const { parent } = place;
  if (place.type === 'MemberExpression' && isInPattern(place)) return true;
  if (parent.type === 'AssignmentExpression') return parent.left === place;
  if (parent.type === 'UpdateExpression') return true;
  if (parent.type === 'UnaryExpression') return parent.operator === 'delete';
  if (parent.type !== 'CallExpression') return false;
  if (parent.callee === place) return place.type === 'MemberExpression' && changing.has(nameOf(place));
  const { callee } = parent;
  return parent.arguments[0] === place && callee.type === 'MemberExpression' && ofObject.has(nameOf(callee));
};

const functionAround = (node: Node): Node | null => {
  let around: Node | null = node;
  while (around && !isFunction(around)) around = around.parent;
  return around;
};

/** Where a variable outlives a step: the name to be complained of. */
const keptBy = ({ defs, references }: Variable, scope: string): Node | null => {
  const [definition] = defs;
  if (!definition || ['ImportBinding', 'Type'].includes(definition.type)) return null;
  const { type, name, node, parent } = definition;
  if (scope === 'module' && parent?.type === 'VariableDeclaration' && parent.kind !== 'const') return name;
  // A parameter belongs to the function that takes it.
  const owner = functionAround(type === 'Parameter' ? node : name.parent);
  const isWrite = ({ identifier, init }: Reference) =>
    init !== true && functionAround(identifier) !== owner && isChanged(placeOf(identifier));
  return references.find(isWrite)?.identifier ?? null;
};

const stateOutsideContext = {
  meta: { type: 'problem', messages: { kept: '“{{name}}” outlives a step and is no part of the context: no trace replays it.' } },
  create: (context: Context) => ({
    'Program:exit': (): void => {
      for (const scope of context.sourceCode.scopeManager.scopes) {
        for (const variable of scope.variables) {
          const node = keptBy(variable, scope.type);
          if (node) context.report({ node, messageId: 'kept', data: { name: variable.name } });
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

/** A module is there once for all pages, and on a server for all requests. */
const stateOfModule = {
  meta: {
    type: 'problem',
    messages: { kept: '“{{name}}” is kept by a module, for whoever comes: it belongs to a world (`own`).' },
  },
  create: (context: Context) => ({
    'Program:exit': (): void => {
      for (const scope of context.sourceCode.scopeManager.scopes) {
        if (scope.type !== 'module') continue;
        for (const variable of scope.variables) {
          const node = keptBy(variable, scope.type) ?? (isCreated(variable) ? variable.defs[0]?.name : null);
          if (node) context.report({ node, messageId: 'kept', data: { name: variable.name } });
        }
      }
    },
  }),
};

const worldly = new Set(['console', 'globalThis', 'performance', 'crypto', 'process', 'self', 'window']);
const clocks: Readonly<Record<string, string>> = { Date: 'now', Math: 'random' };
/** By another name nobody could follow what is called of them. */
const byName = new Set(['Date', 'Intl', 'Math']);
const isKeptElsewhere = ({ parent }: Node): boolean =>
  !['MemberExpression', 'CallExpression', 'NewExpression', 'TSQualifiedName', 'TSTypeReference', 'BinaryExpression'].includes(
    parent.type,
  );
const localTime =
  /^(get|set)(Date|Day|FullYear|Hours|Milliseconds|Minutes|Month|Seconds|Year)$|^getTimezoneOffset$|^to(Date|Time)String$/;
const localWords = /^toLocale\w*String$|^localeCompare$|^toLocale(Lower|Upper)Case$/;
/** How many arguments it takes to name the locale and how it is written. */
const told = (name: string): number => (name === 'toLocaleLowerCase' || name === 'toLocaleUpperCase' ? 1 : 2);

const world = {
  meta: { type: 'problem', messages: { read: 'A machine does not read “{{name}}” or anything else of the world: ask a port.' } },
  create: (context: Context) => {
    const report = (node: Node, name: string): void => context.report({ node, messageId: 'read', data: { name } });
    const callOrNew = (node: Node): void => {
      const { callee } = node;
      const [locale, how] = node.arguments;
      const isNamed = locale !== undefined && locale.name !== 'undefined' && how !== undefined;
      if (callee.type === 'MemberExpression' && callee.object.name === 'Intl' && !isNamed) report(node, 'Intl');
    };
    return {
      Program: (): void => {
        const { through, variables } = context.sourceCode.scopeManager.globalScope;
        const references = [...through, ...variables.flatMap((variable) => variable.references)];
        for (const { identifier } of references) {
          const isWorldly = worldly.has(identifier.name) || (byName.has(identifier.name) && isKeptElsewhere(identifier));
          if (isWorldly) report(identifier, identifier.name);
        }
      },
      MemberExpression: (node: Node): void => {
        const { object, parent } = node;
        const name = nameOf(node);
        if (object.type === 'Identifier' && clocks[object.name] === name) report(node, `${object.name}.${name}`);
        if (localTime.test(name)) report(node, name);
        const isCall = parent.type === 'CallExpression' && parent.callee === node;
        if (localWords.test(name) && isCall && parent.arguments.length < told(name)) report(node, name);
      },
      VariableDeclarator: ({ id, init }: Node): void => {
        if (id.type === 'ObjectPattern' && init?.type === 'Identifier' && init.name in clocks) report(init, init.name);
      },
      NewExpression: (node: Node): void => {
        if (node.callee.name === 'Date' && node.arguments.length !== 1) report(node, 'new Date()');
        callOrNew(node);
      },
      CallExpression: (node: Node): void => {
        if (node.callee.name === 'Date') report(node.callee, 'Date()');
        callOrNew(node);
      },
    };
  },
};

export default {
  meta: { name: 'pure-machines' },
  rules: { 'state-outside-context': stateOutsideContext, 'state-of-module': stateOfModule, world },
};
