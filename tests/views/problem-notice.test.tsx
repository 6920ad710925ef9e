import { act, screen } from '@testing-library/react';
import { useSyncExternalStore, type ReactElement } from 'react';
import { expect, test } from 'vitest';
import { ProblemNotice } from '../../src/views/ProblemNotice.tsx';
import { show } from '../support/views/show.tsx';

const refused = { kind: 'refused', code: 'taken', message: 'Taken.' } as const;

/** A form with what is wrong above it, once `tell` says so; beside it the shop's search. */
const formOf = () => {
  let wrong = false;
  let changed = (): void => undefined;
  const Form = (): ReactElement => {
    const isWrong = useSyncExternalStore(
      (listener) => {
        changed = listener;
        return () => undefined;
      },
      () => wrong,
    );
    return (
      <>
        <form role="search">
          <button type="submit">Search</button>
        </form>
        <section>
          {isWrong ? <ProblemNotice problem={refused}>It is taken.</ProblemNotice> : null}
          <form>
            <button type="submit">Send</button>
          </form>
        </section>
      </>
    );
  };
  const tell = (): void => {
    wrong = true;
    changed();
  };
  return { Form, tell };
};

test.each([
  ['from the button of a form the keyboard goes to what is wrong with it', 'Send', true],
  ['from the button of another form it does not', 'Search', false],
])('%s', (_, name, goes) => {
  const { Form, tell } = formOf();
  show(<Form />);
  const button = screen.getByRole('button', { name });
  button.focus();
  act(tell);
  const alert = screen.getByRole('alert');
  expect(document.activeElement).toBe(goes ? alert : button);
});
