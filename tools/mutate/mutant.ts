/**
 * The kinds of mutations. Those of `tags` and `meta` are reported separately, since they have no
 * direct effect on the screen.
 */
export const kinds = [
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

export type Kind = (typeof kinds)[number];

export const isApart = ({ kind }: Pick<Mutant, 'kind'>): boolean => kind === 'tags' || kind === 'meta';

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
export const machineFileOf = (file: string): string => file.replace(/-setup\.ts$/, '.ts');

/** Appended to a mutated file, so that line numbers stay the same. */
const helpers = "\nimport { not as negated$ } from 'xstate';\n";

/** An expression that negates a guard, given by its name or definition. */
export const negated = (guard: string): string => `negated$(${guard})`;

/** The source of a file with one mutation. */
export const changed = (source: string, { start, end, text }: Pick<Mutant, 'start' | 'end' | 'text'>): string =>
  `${source.slice(0, start)}${text}${source.slice(end)}${text.includes('negated$') ? helpers : ''}`;
