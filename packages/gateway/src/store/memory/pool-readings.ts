import { isNews, type PoolReading } from "../pool-readings.ts";

/** What Cursor said of the pools, oldest first. */
export class MemoryPoolReadings {
	#readings: PoolReading[] = [];

	add(reading: PoolReading): void {
		const last = this.#readings.findLast(({ pool }) => pool === reading.pool);
		if (isNews(reading, last)) this.#readings.push({ ...reading });
	}

	since(time: number): PoolReading[] {
		return this.#readings.filter(({ at }) => at >= time);
	}

	removeBefore(time: number): void {
		this.#readings = this.#readings.filter(({ at }) => at >= time);
	}
}
