/**
 * The kinds of mutations. Those of `tags` and `meta` are reported separately, since they have no
 * direct effect on the screen.
 */
export const mutantKinds = [
  'targets',
  'transitions',
  'guards',
  'order',
  'actions',
  'invokes',
  'delays',
  'assignments',
  'inputs',
  'events',
  'outputs',
  'functions',
  'tags',
  'meta',
] as const;

export type Kind = (typeof mutantKinds)[number];

export const isSeparateKind = ({ kind }: Pick<Mutant, 'kind'>): boolean => kind === 'tags' || kind === 'meta';

/** A mutation of a file: the characters from `start` to `end` are replaced by `text`. */
export type Mutant = {
  /**
   * Stable when lines move, such as `machines/buying/payment.ts states.unknown.exit: countCheck is
   * left out`.
   */
  key: string;
  /** Relative to the project, such as `machines/buying/payment.ts`. */
  file: string;
  line: number;
  kind: Kind;
  start: number;
  end: number;
  text: string;
};

/**
 * The file of the machine: for a file of ports, actions and guards, such as `payment-setup.ts`, the
 * one beside it. Other files are returned unchanged.
 */
export const getMachineFile = (file: string): string => file.replace(/-setup\.ts$/, '.ts');

/** Appended to a mutated file, so that line numbers stay the same. */
const HELPER_IMPORTS = "\nimport { not as negated$ } from 'xstate';\n";

/** An expression that negates a guard, given by its name or definition. */
export const negateGuard = (guard: string): string => `negated$(${guard})`;

/** The source of a file with one mutation. */
export const applyMutant = (source: string, { start, end, text }: Pick<Mutant, 'start' | 'end' | 'text'>): string =>
  `${source.slice(0, start)}${text}${source.slice(end)}${text.includes('negated$') ? HELPER_IMPORTS : ''}`;
