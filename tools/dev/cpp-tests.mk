# Builds tests/cpp into one binary. Called by cpp-tests.sh, which sets CXX, FLAGS, INCLUDES and OUT.

SOURCES := $(wildcard tests/cpp/*.cpp)
OBJECTS := $(SOURCES:tests/cpp/%.cpp=$(OUT)/%.o)

$(OUT)/tests: $(OBJECTS)
	@$(CXX) $(FLAGS) -o $@ $(OBJECTS) -pthread

$(OUT)/%.o: tests/cpp/%.cpp $(OUT)/command
	@echo "$(CXX) $<"
	@$(CXX) -std=c++17 $(FLAGS) -MMD -MP -Iinst/include -Itests/cpp $(INCLUDES) -pthread -c -o $@ $<

-include $(OBJECTS:.o=.d)
