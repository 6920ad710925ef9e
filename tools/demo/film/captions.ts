import type { CaptionLanguage, Film } from './source.ts';

function stamp(seconds: number): string {
  const [whole, milliseconds] = seconds.toFixed(3).split('.');
  const total = Number(whole);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(total / 3600))}:${two(Math.floor(total / 60) % 60)}:${two(total % 60)}.${milliseconds}`;
}

/** The captions in a language as WebVTT, up to `seconds`. */
export function webvtt(film: Film, language: CaptionLanguage, seconds = Number.POSITIVE_INFINITY): string {
  const cues = film.captions
    .filter(({ from }) => from < seconds)
    .map(
      ({ from, to, text }, i) =>
        `${i + 1}\n${stamp(from)} --> ${stamp(Math.min(to, seconds))}\n${text[language].replace(/&/g, '&amp;').replace(/</g, '&lt;')}\n`,
    );
  return `WEBVTT\n\n${cues.join('\n')}`;
}
