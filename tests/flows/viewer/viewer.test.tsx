import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../machines/model/problem.ts';
import { answeringPort, rejectingPort, pendingPort } from '../../support/views/flow.ts';
import { findPressable, readState } from '../../support/views/show.tsx';
import { makeOpenedTitle, playback, title } from '../../support/views/titles.ts';
import { startViewer } from '../../support/views/viewer.tsx';

describe('opening', () => {
  test('a title that is being opened says so, and can be closed', async () => {
    const { container, receivedEvents } = await startViewer(pendingPort());
    expect(screen.getByText(/Opening the title/)).toBeDefined();
    await userEvent.click(findPressable(container, 'close.pressed'));
    expect(receivedEvents).toEqual([{ type: 'go', to: '/mylibrary', replace: true }]);
  });

  test.each<[string, Problem, RegExp]>([
    ['notOwned', { kind: 'refused', code: 'not_owned', message: '' }, /isn’t in your library/],
    ['notFound', { kind: 'refused', code: 'not_found', message: '' }, /nothing to read here/],
    ['failed', { kind: 'timeout' }, /taking too long/],
  ])('a viewer in the state “%s” has its own message', async (state, problem, expectedText) => {
    const { container } = await startViewer(rejectingPort(problem));
    expect(readState(container, 'viewer')).toBe(state);
    expect(container.textContent).toMatch(expectedText);
    const recordButtons = screen.queryAllByRole('button', { name: 'Save a record of this visit' });
    expect(recordButtons).toHaveLength(state === 'failed' ? 1 : 0);
  });
});

describe('listening', () => {
  const listen = async () => {
    const viewer = await startViewer(answeringPort(makeOpenedTitle('audio')));
    viewer.sendTracksFact({ type: 'tracks.ready' });
    return viewer;
  };

  test('the space key plays and pauses a recording, and the arrow keys skip', async () => {
    const { element, sendTracksFact } = await listen();
    await userEvent.keyboard('[Space]');
    sendTracksFact({ type: 'tracks.playing' });
    await userEvent.keyboard('[Space]{ArrowLeft}{ArrowRight}');
    expect(element).toEqual([
      { type: 'tracks.play' },
      { type: 'tracks.pause' },
      { type: 'tracks.skip', seconds: -15 },
      { type: 'tracks.skip', seconds: 30 },
    ]);
  });

  test('the player has elements for the time, and its slider seeks when it is released', async () => {
    const { container, element } = await listen();
    const slider = container.querySelector<HTMLInputElement>('[data-clock="slider"]');
    expect(slider?.max).toBe('245');
    expect(container.querySelectorAll('[data-clock="elapsed"], [data-clock="left"]').length).toBe(2);
    if (slider) fireEvent.change(slider, { target: { value: '120' } });
    expect(element).toEqual([{ type: 'tracks.seek', itemId: 'a', seconds: 120 }]);
  });

  test('the parts of a recording are listed, with the current one marked, and can be chosen', async () => {
    const { container, element, sendTracksFact } = await listen();
    await userEvent.click(findPressable(container, 'item.chosen', 'b'));
    expect(element).toEqual([{ type: 'tracks.seek', itemId: 'b', seconds: 0 }, { type: 'tracks.play' }]);
    sendTracksFact({ type: 'tracks.itemChanged', itemId: 'b' });
    expect(findPressable(container, 'item.chosen', 'b').getAttribute('aria-current')).toBe('true');
    expect(container.querySelector<HTMLInputElement>('[data-clock="slider"]')?.max).toBe('310');
  });

  test('chapters within a single part are listed, with the current one marked, and can be chosen', async () => {
    const chapters = [
      { name: 'Low water', seconds: 0 },
      { name: 'The quay', seconds: 40 },
      { name: 'The boat', seconds: 120 },
    ];
    const items = makeOpenedTitle('audio')
      .publication.items.slice(0, 1)
      .map((item) => ({ ...item, chapters }));
    const { container, element, sendTracksFact } = await startViewer(answeringPort(makeOpenedTitle('audio', { items })));
    sendTracksFact({ type: 'tracks.ready' });
    const navigation = screen.getByRole('navigation', { name: 'Chapters' });
    const readCurrentChapter = () => navigation.querySelector('[aria-current]')?.textContent;
    expect(
      within(navigation)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual([expect.stringContaining('Low water'), expect.stringContaining('The quay'), expect.stringContaining('The boat')]);
    expect(readCurrentChapter()).toContain('Low water');
    await userEvent.click(findPressable(container, 'item.chosen', 'a 40'));
    expect(element).toEqual([{ type: 'tracks.seek', itemId: 'a', seconds: 40 }, { type: 'tracks.play' }]);
    sendTracksFact({ type: 'position.passed', itemId: 'a', seconds: 119.8, totalProgression: 0.4 });
    expect(readCurrentChapter()).toContain('The boat');
  });

  test('speed and volume can be chosen, also by keys, and are stored for the next recording', async () => {
    const { element, savedPlaybacks, container } = await listen();
    const readPlaybacks = (): unknown => element.map((command) => command.type === 'tracks.playback' && command.playback);
    await userEvent.selectOptions(screen.getByLabelText('Speed'), '1.5×');
    const fastPlayback = { ...playback, rate: 1.5 };
    fireEvent.change(findPressable(container, 'volume.chosen'), { target: { value: '0.5' } });
    const softPlayback = { ...fastPlayback, volume: 0.5 };
    await userEvent.click(screen.getByRole('button', { name: 'Mute' }));
    // Unmuting restores the earlier volume.
    await userEvent.click(screen.getByRole('button', { name: 'Unmute' }));
    screen.getByRole('region').focus();
    await userEvent.keyboard('m{ArrowUp}{ArrowDown}');
    const expected = [
      fastPlayback,
      softPlayback,
      { ...softPlayback, muted: true },
      softPlayback,
      { ...softPlayback, muted: true },
      { ...softPlayback, volume: 0.1 },
    ];
    expect(readPlaybacks()).toEqual([...expected, { ...softPlayback, volume: 0.1, muted: true }]);
    expect(savedPlaybacks).toEqual(readPlaybacks());
  });

  test('a retry starts with the part that failed, and keeps playing', async () => {
    const { container, element, elementInputs, sendTracksFact } = await listen();
    sendTracksFact({ type: 'position.passed', itemId: 'a', seconds: 200, totalProgression: 0.04 });
    await userEvent.click(findPressable(container, 'item.chosen', 'b'));
    sendTracksFact({ type: 'tracks.itemChanged', itemId: 'b' });
    sendTracksFact({ type: 'tracks.failed', problem: { kind: 'offline' } });
    element.length = 0;
    await userEvent.click(findPressable(container, 'retry.pressed'));
    expect(elementInputs.map(({ start }) => start)).toEqual([null, { itemId: 'b', seconds: 0 }]);
    sendTracksFact({ type: 'tracks.ready' });
    expect(element).toEqual([{ type: 'tracks.play' }]);
  });

  test('closing or hiding a player reads the current playback position, and saves it', async () => {
    const { container, element, readPositionToSave, hidePage, sendTracksFact } = await listen();
    sendTracksFact({ type: 'tracks.playing' });
    sendTracksFact({ type: 'position.passed', itemId: 'a', seconds: 10, totalProgression: 0.01 });
    hidePage();
    expect(element).toEqual([{ type: 'tracks.reportPosition' }]);
    sendTracksFact({ type: 'tracks.positionReported', itemId: 'a', seconds: 13.5, totalProgression: 0.02 });
    expect(readPositionToSave()).toMatchObject({ seconds: 13.5 });
    expect(readState(container, 'tracks')).toEqual({ attached: 'playing' });
    await userEvent.click(findPressable(container, 'close.pressed'));
    expect(element).toEqual([{ type: 'tracks.reportPosition' }, { type: 'tracks.reportPosition' }]);
    sendTracksFact({ type: 'tracks.positionReported', itemId: 'a', seconds: 14.2, totalProgression: 0.02 });
    expect(readPositionToSave()).toMatchObject({ seconds: 14.2 });
    expect(readState(container, 'tracks')).toBe('closing');
  });

  test('a recording that was not played closes without saving a position', async () => {
    const { container, receivedEvents, readPositionToSave, sendTracksFact } = await listen();
    await userEvent.click(findPressable(container, 'close.pressed'));
    sendTracksFact({ type: 'tracks.positionReported', itemId: 'a', seconds: 0, totalProgression: 0 });
    expect(readPositionToSave()).toBeNull();
    expect(receivedEvents).toEqual([{ type: 'go', to: '/mylibrary', replace: true }]);
  });

  test('the cover of the title is shown, and set on the media element', async () => {
    const cover = { url: 'https://shop.test/cover.jpg', smallUrl: '', widths: [], width: 600, height: 900, color: '#123456' };
    const { container, elementInputs } = await startViewer(
      answeringPort({ ...makeOpenedTitle('audio'), about: { ...title, cover } }),
    );
    expect(container.querySelector('img')?.src).toBe(cover.url);
    expect(elementInputs[0]?.about).toEqual({ name: 'The Ferry Ledger', authors: ['Ines Marlow'], cover });
  });

  test('a recording with blocked autoplay asks for a press on Play; its end links back; a failure can be retried', async () => {
    const { container, sendTracksFact } = await listen();
    sendTracksFact({ type: 'tracks.blocked' });
    expect(screen.getByText(/Press Play/)).toBeDefined();
    sendTracksFact({ type: 'tracks.ended' });
    expect(screen.getByRole('button', { name: 'Back to My Library' })).toBeDefined();
    sendTracksFact({ type: 'tracks.failed', problem: { kind: 'offline' } });
    await userEvent.click(findPressable(container, 'retry.pressed'));
    expect(readState(container, 'tracks')).toEqual({ attached: 'opening' });
  });

  describe('a film', () => {
    const items = makeOpenedTitle('video').publication.items.map((item) => ({
      ...item,
      captions: ['en', 'fr'].map((language) => ({ url: `/${language}.vtt`, language })),
    }));
    const watch = async () => {
      const viewer = await startViewer(answeringPort(makeOpenedTitle('video', { items })));
      viewer.sendTracksFact({ type: 'tracks.ready' });
      return viewer;
    };

    test('a film has captions in several languages, which are switched off and on', async () => {
      const { element } = await watch();
      const readCaptions = (): unknown =>
        element.map((command) => command.type === 'tracks.playback' && command.playback.captions);
      await userEvent.selectOptions(screen.getByLabelText('Language of the captions'), 'français');
      const button = screen.getByRole('button', { name: 'Captions' });
      expect(button.getAttribute('aria-pressed')).toBe('true');
      await userEvent.click(button);
      expect(button.getAttribute('aria-pressed')).toBe('false');
      expect(screen.queryByLabelText('Language of the captions')).toBeNull();
      await userEvent.keyboard('c');
      expect(readCaptions()).toEqual(['fr', '', 'en']);
    });

    test('a film fills the screen by a button or a key, and the button then leaves full screen', async () => {
      const { element, sendTracksFact } = await watch();
      await userEvent.click(screen.getByRole('button', { name: 'Full screen' }));
      sendTracksFact({ type: 'tracks.fullScreenChanged', on: true });
      expect(screen.getByRole('button', { name: 'Leave full screen' })).toBeDefined();
      await userEvent.keyboard('f');
      expect(element).toEqual([{ type: 'tracks.fullScreen' }, { type: 'tracks.fullScreen' }]);
    });

    test('a film plays and pauses by a press on its picture, or on K', async () => {
      const { container, element, sendTracksFact } = await watch();
      const picture = container.querySelector('[data-mount-point="video"]');
      if (picture) await userEvent.click(picture);
      sendTracksFact({ type: 'tracks.playing' });
      if (picture) await userEvent.click(picture);
      sendTracksFact({ type: 'tracks.paused', itemId: 'a', seconds: 1 });
      await userEvent.keyboard('k');
      expect(element).toEqual([{ type: 'tracks.play' }, { type: 'tracks.pause' }, { type: 'tracks.play' }]);
    });
  });

  test('a film keeps its mount point while it plays and waits', async () => {
    const { container, sendTracksFact } = await startViewer(answeringPort(makeOpenedTitle('video')));
    const mountPoint = container.querySelector('[data-mount-point="video"]');
    expect(mountPoint).not.toBeNull();
    sendTracksFact({ type: 'tracks.ready' });
    sendTracksFact({ type: 'tracks.playing' });
    sendTracksFact({ type: 'tracks.waiting' });
    expect(container.querySelector('[data-mount-point="video"]')).toBe(mountPoint);
    expect(screen.getByText(/Waiting for the network/)).toBeDefined();
  });
});

test('an interactive title keeps its mount point, ends beside it and closes', async () => {
  const { container, receivedEvents, sendIframeFact } = await startViewer(answeringPort(makeOpenedTitle('interactive')));
  const mountPoint = container.querySelector('[data-mount-point="interactive"]');
  expect(mountPoint).not.toBeNull();
  sendIframeFact({ type: 'interactive.ready' });
  sendIframeFact({ type: 'interactive.ended' });
  expect(screen.getByText('The end')).toBeDefined();
  expect(container.querySelector('[data-mount-point="interactive"]')).toBe(mountPoint);
  await userEvent.click(findPressable(container, 'close.pressed'));
  expect(receivedEvents).toEqual([{ type: 'go', to: '/mylibrary', replace: true }]);
});
