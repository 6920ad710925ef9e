import { expect, test, vi } from 'vitest';
import { StoreText } from '../../src/views/StoreText.tsx';
import { show } from '../support/views/show.tsx';

const paragraphs = (container: HTMLElement) => [...container.querySelectorAll('p')].map(({ innerHTML }) => innerHTML);

test('until the program is there that makes HTML harmless, the words stand in their paragraphs, the bold ones as wide as later', async () => {
  const html =
    '<p>Become a <strong>friend of the <em>harbour</em></strong>: a <b>small</b> sum.</p><p onclick="x()">No &lt;tags&gt;</p>';
  const container = show(<StoreText text={html} />);
  expect(paragraphs(container).slice(0, 1)).toEqual([
    'Become a <strong>friend of the harbour</strong>: a <strong>small</strong> sum.',
  ]);
  await vi.waitFor(() => expect(container.querySelector('em')?.textContent).toBe('harbour'));
  expect(container.innerHTML).not.toContain('onclick');
});

test('text without HTML stands as it is', () => {
  expect(paragraphs(show(<StoreText text={'One < two\n\nThree'} />))).toEqual(['One &lt; two', 'Three']);
});
