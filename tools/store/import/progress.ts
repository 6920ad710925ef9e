/** Titles between two lines where nobody watches. */
const SELDOM = 50;

export type Progress = {
  /** One more is done. */
  done(path: string): void;
  /** A line that stays. */
  say(line: string): void;
  end(): void;
};

/** How far a long run has come: a line that renews itself on a terminal, else one for every fifty. */
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
      } else if (count % SELDOM === 0 || count === all) write(`${count} of ${all}\n`);
    },
    say(line) {
      clear();
      write(`${line}\n`);
    },
    end: clear,
  };
}
