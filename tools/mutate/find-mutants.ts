import ts from 'typescript';
import { codeChanges } from './change-code.ts';
import { configChanges } from './change-config.ts';
import type { Kind, Mutant } from './mutant.ts';

/** Takes a change of the characters from `start` to `end` at a place, as in `states.unknown.exit`; `what` says it in words. */
export type Add = (change: { start: number; end: number; text: string; kind: Kind; place: string; what: string }) => void;

/** Walks a file; `config` reads object literals by the names of their keys, `code` the bodies of functions. */
export type Walk = {
  tree: ts.SourceFile;
  add: Add;
  /** The names of all `states` of the file, the outermost first. */
  stateLists: readonly (readonly string[])[];
};

const statesIn = (tree: ts.SourceFile): string[][] => {
  const lists: string[][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText(tree) === 'states' && ts.isObjectLiteralExpression(node.initializer)) {
      lists.push(node.initializer.properties.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : [])));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return lists;
};

/** Every change of a file of machines, each on its own. Types, imports and ports are left as they are. */
export const mutantsIn = (file: string, source: string): Mutant[] => {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found = new Map<string, Mutant>();
  const changes = new Set<string>();
  const add: Add = ({ start, end, text, kind, place, what }) => {
    const change = JSON.stringify([start, end, text]);
    if (source.slice(start, end) === text || changes.has(change)) return;
    changes.add(change);
    const line = tree.getLineAndCharacterOfPosition(start).line + 1;
    const name = `${file} ${place}: ${what}`;
    // The same words at the same place are counted.
    let key = name;
    for (let count = 2; found.has(key); count += 1) key = `${name} (${count})`;
    found.set(key, { key, file, line, kind, start, end, text });
  };
  const walk: Walk = { tree, add, stateLists: statesIn(tree) };
  for (const statement of tree.statements) {
    if (ts.isFunctionDeclaration(statement)) codeChanges(walk, statement, statement.name?.text ?? '', 'functions');
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer) configChanges(walk, initializer, name.getText(tree).endsWith('Machine') ? '' : name.getText(tree));
    }
  }
  return [...found.values()];
};
