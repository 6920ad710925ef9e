import type { FirefoxPage } from './support/firefox-page.ts';
import { expect, testInFirefox } from './support/story.ts';

const titles = { recording: '1019', film: '1022' };

/** Reads the position in the current part from the player's slider, in seconds. */
const readClock = (view: FirefoxPage): Promise<number> => view.readSlider('[data-clock="slider"]');

const expectPlaying = async (view: FirefoxPage, from: number): Promise<void> => {
  await view.waitForState('tracks', { attached: 'playing' });
  await expect.poll(() => readClock(view), { message: `the clock advances from ${from}` }).toBeGreaterThan(from + 1);
};

const readCurrentItem = (view: FirefoxPage): Promise<string> => view.readText('[data-event="item.chosen"][aria-current="true"]');

testInFirefox(
  'a recording plays, skips, continues with the next part, and a reload keeps the position',
  async ({ view, customer }) => {
    await view.buyAndOpen(customer, titles.recording);
    await view.waitForState('tracks', { attached: 'paused' });
    // Without an audio device Firefox plays a recording only while it is muted.
    await view.page.keyboard.press('m');
    await view.press('play.pressed');
    await expectPlaying(view, 0);
    await view.press('skip.pressed', '30');
    await expectPlaying(view, 30);
    expect(await readCurrentItem(view)).toContain('The Last Train');

    await view.page.focus('[data-event="seek.chosen"]');
    await view.page.keyboard.press('End');
    await expect.poll(() => readCurrentItem(view)).toContain('One Beat');
    await expectPlaying(view, 0);
    await view.press('skip.pressed', '30');
    await expectPlaying(view, 30);
    await view.press('pause.pressed');
    await view.waitForState('tracks', { attached: 'paused' });
    const secondsBefore = await readClock(view);

    await view.page.reload();
    await view.waitForState('tracks', { attached: 'paused' });
    await expect.poll(() => readCurrentItem(view)).toContain('One Beat');
    await expect.poll(() => readClock(view)).toBeCloseTo(secondsBefore, 0);
  },
);

testInFirefox('a recording that cannot play names the missing audio device as the cause', async ({ view, customer }) => {
  await view.buyAndOpen(customer, titles.recording);
  await view.waitForState('tracks', { attached: 'paused' });
  await view.press('play.pressed');
  const readInterruption = () => view.readText('[data-flow="interruption"]');
  await expect.poll(readInterruption).toContain('This device has no sound output.');
  await view.waitForState('tracks', { attached: 'paused' });
});

/** Firefox has no decoder for MP4 films: on Debian it uses that of FFmpeg. */
const missingDecoderReason =
  'this Firefox decodes no MP4 film (on Debian: apt-get install libavcodec-extra); the film was not played';

testInFirefox('the space bar plays a film with its pictures and captions', async ({ view, customer, skip }) => {
  await view.buyAndOpen(customer, titles.film);
  const canPlay = () => document.createElement('video').canPlayType('video/mp4; codecs="avc1.640028, mp4a.40.2"');
  if ((await view.page.evaluate(canPlay)) === '') {
    console.info(`skipped: ${missingDecoderReason}`);
    skip(missingDecoderReason);
  }
  await view.waitForState('tracks', { attached: 'paused' });
  await view.page.keyboard.press(' ');
  await expectPlaying(view, 0);
  const readFilm = () =>
    view.page.$eval('video', (video) => ({
      width: video.videoWidth,
      hasFrames: video.getVideoPlaybackQuality().totalVideoFrames > 0,
      captions: [...video.textTracks].filter(({ mode }) => mode === 'showing').map(({ language }) => language),
    }));
  expect(await readFilm()).toEqual({ width: 640, hasFrames: true, captions: ['en'] });
  await view.page.keyboard.press(' ');
  await view.waitForState('tracks', { attached: 'paused' });
});
