import { expect, test, vi } from 'vitest';
import { StoreText } from '../../src/views/StoreText.tsx';
import { show } from '../support/views/show.tsx';

const paragraphs = (container: HTMLElement) => [...container.querySelectorAll('p')].map(({ innerHTML }) => innerHTML);

test('until the program is there that makes HTML harmless, the words stand laid out as later, and nothing of them can do anything', async () => {
  const html =
    '<h2 id="root">Friends</h2><p onclick="x()">Of the <a href="javascript:x()"><strong>harbour</strong></a>:</p>' +
    '<ul>\n<li>one<li>No &lt;tags&gt;</ul><table>\n<tr> <td>1</td> </tr></table><img src="x" onerror="x()"><svg><a href="x">drawn</a></svg><script>x()</script>';
  const container = show(<StoreText text={html} />);
  expect(container.innerHTML).toContain(
    '><h2>Friends</h2><p>Of the <strong>harbour</strong>:</p><ul>\n<li>one</li><li>No &lt;tags&gt;</li></ul><table><tbody><tr><td>1</td></tr></tbody></table></div>',
  );
  await vi.waitFor(() => expect(container.querySelector('a')?.textContent).toBe('harbour'));
  expect(container.innerHTML).not.toMatch(/onclick|onerror|javascript|script/);
});

test('text without HTML stands as it is', () => {
  expect(paragraphs(show(<StoreText text={'One < two\n\nThree'} />))).toEqual(['One &lt; two', 'Three']);
});
