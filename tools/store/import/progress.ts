/** Titles between two progress lines if the output is not a terminal. */
const LINES_BETWEEN = 50;

export type Progress = {
  /** Counts one more as done. */
  done(path: string): void;
  /** Prints a permanent line. */
  printLine(line: string): void;
  end(): void;
};

/**
 * Progress of a long run: a line that is updated in place on a terminal, else one line for every
 * fifty titles.
 */
export function showProgress(all: number, write: (text: string) => void, isTerminal: boolean): Progress {
  let count = 0;
  let last = '';
  const clear = (): void => {
    if (isTerminal && last !== '') write('\r\u001B[K');
    last = '';
  };
  return {
    done(path) {
      count += 1;
      if (isTerminal) {
        clear();
        last = `${count} of ${all}  ${[...path].slice(-60).join('')}`;
        write(last);
      } else if (count % LINES_BETWEEN === 0 || count === all) write(`${count} of ${all}\n`);
    },
    printLine(line) {
      clear();
      write(`${line}\n`);
    },
    end: clear,
  };
}
