/** The playback position, in seconds of the current item; `duration` is NaN while it is unknown. */
export type PlaybackTime = { seconds: number; duration: number; rate: number };

const padTwo = (number: number): string => String(number).padStart(2, '0');

/** `mm:ss`, or `hh:mm:ss` from an hour. */
const formatClock = (seconds: number): string => {
  const wholeSeconds = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const [hours, minutes] = [Math.floor(wholeSeconds / 3600), Math.floor(wholeSeconds / 60) % 60];
  const minutesAndSeconds = `${padTwo(minutes)}:${padTwo(wholeSeconds % 60)}`;
  return hours === 0 ? minutesAndSeconds : `${padTwo(hours)}:${minutesAndSeconds}`;
};

/**
 * Writes the time directly into the page: `[data-clock="elapsed"]`, `[data-clock="left"]` (at this
 * speed) and the range `[data-clock="slider"]`, many times a second without a machine or a view.
 * Elements that a view adds later are written when they appear.
 */
export const showPlaybackTime = (read: () => PlaybackTime, signal: AbortSignal): (() => void) => {
  const write = () => {
    const { seconds, duration, rate } = read();
    const isKnown = Number.isFinite(duration);
    const timeLeft = isKnown ? formatClock(Math.max(0, duration - seconds) / rate) : '';
    for (const element of document.querySelectorAll<HTMLElement>('[data-clock]')) {
      if (element instanceof HTMLInputElement) writeSlider(element, seconds, isKnown ? duration : 0);
      else writeText(element, element.dataset['clock'] === 'left' ? timeLeft : formatClock(seconds));
    }
  };
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ addedNodes }) => [...addedNodes].some(hasClock))) write();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener('abort', () => observer.disconnect());
  return write;
};

const hasClock = (node: Node): boolean =>
  node instanceof Element && (node.matches('[data-clock]') || node.querySelector('[data-clock]') !== null);

const writeText = (element: HTMLElement, text: string): void => {
  if (element.textContent !== text) element.textContent = text;
};

const writeSlider = (slider: HTMLInputElement, seconds: number, duration: number): void => {
  // While it is dragged, the customer sets its position.
  if (slider.matches(':active')) return;
  slider.max = String(Math.max(duration, 1));
  slider.value = String(seconds);
  slider.setAttribute('aria-valuetext', formatClock(seconds));
};
