import type { CaptionLanguage, Film } from './source.ts';

function formatTimestamp(seconds: number): string {
  const [wholeSeconds, milliseconds] = seconds.toFixed(3).split('.');
  const total = Number(wholeSeconds);
  const padTwo = (value: number) => String(value).padStart(2, '0');
  return `${padTwo(Math.floor(total / 3600))}:${padTwo(Math.floor(total / 60) % 60)}:${padTwo(total % 60)}.${milliseconds}`;
}

/** The captions in a language as WebVTT, up to `seconds`. */
export function formatWebVtt(film: Film, language: CaptionLanguage, seconds = Number.POSITIVE_INFINITY): string {
  const cues = film.captions
    .filter(({ from }) => from < seconds)
    .map(
      ({ from, to, text }, i) =>
        `${i + 1}\n${formatTimestamp(from)} --> ${formatTimestamp(Math.min(to, seconds))}\n${text[language].replace(/&/g, '&amp;').replace(/</g, '&lt;')}\n`,
    );
  return `WEBVTT\n\n${cues.join('\n')}`;
}
