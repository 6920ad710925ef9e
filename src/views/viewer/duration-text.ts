const two = (value: number): string => String(value).padStart(2, '0');

/** A length in seconds as a clock shows it: 4:05, 1:04:05. */
export const durationText = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
};
