import { realFiles } from '../../server/publication/support/real-books.ts'
import { expect, test } from './support/room.ts'

for (const { name, file } of realFiles('epub')) {
  test(`${name} opens, turns, comes back and reopens where it was`, async ({ book }) => {
    const contents = await book.open(file)
    expect(contents.length).toBeGreaterThan(0)
    const places = [(await book.locator()).totalProgression]
    for (let nth = 0; nth < 5; nth++) {
      const { totalProgression } = await book.turn('next')
      if ((await book.facts()).some(({ type }) => type === 'book.ended')) break
      places.push(totalProgression)
    }
    expect(places.length).toBeGreaterThan(2)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(new Set(places).size).toBe(places.length)

    const back = await book.turn('previous')
    expect(back.totalProgression).toBeCloseTo(places.at(-2) ?? NaN, 2)
    await book.close()
    expect(await book.page.evaluate(() => document.querySelectorAll('#stage > *').length)).toBe(0)

    await book.open(file, { start: back })
    const again = await book.locator()
    expect(again.href).toBe(back.href)
    expect(Math.abs(again.totalProgression - back.totalProgression)).toBeLessThan(0.01)
  })
}
