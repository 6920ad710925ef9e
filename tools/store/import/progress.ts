/** The number of titles per progress line if the output is not a terminal. */
const TITLES_PER_LINE = 50;

export type Progress = {
  /** Counts a title as done. */
  done(path: string): void;
  /** Prints a permanent line. */
  printLine(line: string): void;
  end(): void;
};

/**
 * Progress of a long run: a line that is updated in place on a terminal, else one line for every
 * fifty titles.
 */
export function showProgress(total: number, write: (text: string) => void, isTerminal: boolean): Progress {
  let count = 0;
  let currentLine = '';
  const clear = (): void => {
    if (isTerminal && currentLine !== '') write('\r\u001B[K');
    currentLine = '';
  };
  return {
    done(path) {
      count += 1;
      if (isTerminal) {
        clear();
        currentLine = `${count} of ${total}  ${[...path].slice(-60).join('')}`;
        write(currentLine);
      } else if (count % TITLES_PER_LINE === 0 || count === total) write(`${count} of ${total}\n`);
    },
    printLine(line) {
      clear();
      write(`${line}\n`);
    },
    end: clear,
  };
}
